/* Two processes send each other messages through TCP. */
#define _GNU_SOURCE    /* unshare */
#include "hosts/tcp.h" /* before <sys/wait.h>, whose WAIT_ANY is another one */

#include "../test.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum { BYTES = 300000, CONNECTIONS = 3 };

/* Bytes that differ between the connections. */
static void fill(unsigned char *bytes, int connection)
{
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(7 * i + connection);
}

/* Returns an exit status: 0 if all that was sent came back. */
static int echoed(const struct tcp_addresses *to)
{
    static unsigned char sent[BYTES], back[BYTES];
    struct tcp t;
    int differences = tcp_connect(&t, to, CONNECTIONS, NO_ERR) != 0;
    for (int i = CONNECTIONS - 1; i >= 0; i--) {
        fill(sent, i);
        tcp_give(&t, i, sent, BYTES);
        tcp_take(&t, i, back, BYTES);
        differences |= memcmp(sent, back, BYTES) != 0 || t.broken != 0;
    }
    tcp_close(&t);
    return differences;
}

static void offer(struct tcp *t, struct tcp_addresses *at)
{
    assert_int_equal(tcp_offer(t, NULL, true, at, NO_ERR), 0);
    assert_string_equal(at->at[0].name, "lo");
}

#define OFFER(t, at)                                                                               \
    struct tcp t;                                                                                  \
    struct tcp_addresses at;                                                                       \
    offer(&t, &at)

TEST(messages_of_several_connections)
{
    static unsigned char bytes[BYTES], expected[BYTES];
    OFFER(t, at);
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(echoed(&at));
    assert_int_equal(tcp_accept(&t, &at, CONNECTIONS, NO_ERR), 0);
    for (int i = CONNECTIONS - 1; i >= 0; i--) {
        tcp_take(&t, i, bytes, BYTES);
        fill(expected, i);
        assert_memory_equal(bytes, expected, BYTES);
        tcp_give(&t, i, bytes, BYTES);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
    tcp_take(&t, 0, bytes, 1);
    assert_int_equal(t.broken, ECONNRESET);
    tcp_give(&t, 0, bytes, 1);
    assert_int_equal(t.broken, ECONNRESET);
    tcp_close(&t);
}

/* It has the address, but not what only the other process knows. */
static int stranger(const struct tcp_addresses *to, in_addr_t ip, const char *said)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)to->port) };
    at.sin_addr.s_addr = htonl(ip);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0 ||
        write(fd, said, strlen(said)) != (ssize_t)strlen(said)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Silent ones cost no time: without any patience, the other side is found among them. */
TEST(strangers_are_sent_away)
{
    static const char *const said[] = { "", "", "short", "a stranger" };
    OFFER(t, at);
    struct tcp other;
    int strangers[560]; /* more than twice as many silent ones as it keeps */
    char sent = 'x', got = 0;
    for (size_t i = 0; i < COUNT(strangers); i++)
        strangers[i] = stranger(&at, INADDR_LOOPBACK, said[i % COUNT(said)]);
    assert_int_equal(tcp_connect(&other, &at, 1, NO_ERR), 0);
    t.patience_s = 0.0;
    assert_int_equal(tcp_accept(&t, &at, 1, NO_ERR), 0);
    tcp_give(&other, 0, &sent, 1);
    tcp_take(&t, 0, &got, 1);
    assert_int_equal(got, sent);
    for (size_t i = 0; i < COUNT(strangers); i++)
        assert_int_equal(read(strangers[i], &got, 1) > 0, 0);
    for (size_t i = 0; i < COUNT(strangers); i++)
        close(strangers[i]);
    tcp_close(&other);
    tcp_close(&t);
}

TEST(strangers_that_come_for_ever_do_not_make_it_wait)
{
    OFFER(t, at);
    struct err e = { "" };
    pid_t child = fork();
    while (child == 0)
        close(stranger(&at, INADDR_LOOPBACK, "a stranger"));
    t.patience_s = 0.1;
    alarm(60);
    assert_int_equal(tcp_accept(&t, &at, 1, &e), -1);
    alarm(0);
    assert_string_equal(e.text, "TCP: no connection is accepted: Connection timed out");
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

TEST(only_an_address_that_is_offered_listens)
{
    OFFER(t, at);
    assert_int_equal(stranger(&at, INADDR_LOOPBACK + 1, ""), -1);
    assert_int_equal(errno, ECONNREFUSED);
    tcp_close(&t);
}

/* A loopback of its own, which has lost 127.0.0.1. */
static int without_ipv4(struct err *e)
{
    struct tcp t;
    struct tcp_addresses at;
    struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
    int fd = unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 ? socket(AF_INET, SOCK_DGRAM, 0) : -1;
    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &lo) != 0)
        return 1;
    lo.ifr_addr.sa_family = AF_INET;
    if (ioctl(fd, SIOCSIFADDR, &lo) != 0 || access("/proc/net/if_inet6", R_OK) != 0)
        return 1;
    return tcp_offer(&t, NULL, true, &at, e) == -1 ? 0 : 2;
}

TEST(a_host_with_ipv6_only)
{
    struct err *e =
        mmap(NULL, sizeof(*e), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(without_ipv4(e));
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WEXITSTATUS(status) == 1)
        skip();
    assert_int_equal(status, 0);
    assert_string_equal(e->text, "no active network interface has an IPv4 address, only IPv6, "
                                 "which skampi cannot measure; see 'ip -4 addr'");
    munmap(e, sizeof(*e));
}

/* With a full queue, it does not answer. */
TEST(one_that_does_not_answer_is_not_waited_for_for_ever)
{
    OFFER(t, at);
    struct err e = { "" };
    assert_int_equal(listen(t.listener[0], 0), 0);
    int first = stranger(&at, INADDR_LOOPBACK, "");
    struct tcp other;
    assert_int_equal(tcp_connect(&other, &at, 1, &e), -1);
    assert_non_null(strstr(e.text, ": Connection timed out; name another interface"));
    close(first);
    tcp_close(&t);
}

TEST(the_first_address_that_answers_is_taken)
{
    OFFER(t, at);
    struct tcp other;
    at.at[1] = at.at[0];
    at.count = 2;
    memcpy(at.at[0].ip, (const unsigned char[]){ 0, 0, 0, 255 }, sizeof(at.at[0].ip));
    assert_int_equal(tcp_connect(&other, &at, 1, NO_ERR), 1);
    tcp_close(&other);
    tcp_close(&t);
}

TEST(one_that_says_nothing_is_not_waited_for_for_ever)
{
    OFFER(t, at);
    struct tcp other;
    char got;
    assert_int_equal(tcp_connect(&other, &at, 1, NO_ERR), 0);
    assert_int_equal(tcp_accept(&t, &at, 1, NO_ERR), 0);
    t.patience_s = 0.05;
    tcp_take(&t, 0, &got, 1);
    assert_int_equal(t.broken, ETIMEDOUT);
    tcp_close(&other);
    tcp_close(&t);
}

TEST(what_cannot_be_reached)
{
    struct tcp t;
    struct tcp_addresses at;
    struct err e = { "" }, refused = { "" };
    assert_int_equal(tcp_offer(&t, "eth99", false, &at, &e), -1);
    assert_string_equal(e.text,
                        "no active network interface eth99 has an IPv4 address; see 'ip -4 addr'");
    offer(&t, &at);
    tcp_close(&t);
    assert_int_equal(tcp_connect(&t, &at, 1, &refused), -1);
    assert_non_null(strstr(refused.text, "no TCP connection to 127.0.0.1 (lo), port "));
    assert_non_null(strstr(refused.text, ": Connection refused; name another interface"));
}

TEST(one_that_was_never_opened_closes_nothing)
{
    struct tcp t = { .count = 0 };
    int first = dup(STDERR_FILENO);
    assert_int_equal(dup2(first, STDIN_FILENO), STDIN_FILENO);
    tcp_close(&t);
    assert_int_equal(write(STDIN_FILENO, "", 0), 0);
    close(first);
}

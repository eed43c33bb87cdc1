/* Two processes send each other messages through TCP. */
#include "../test.h"

#include "hosts/tcp.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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
    struct err e = { "" };
    int differences = tcp_connect(&t, to, CONNECTIONS, &e) != 0;
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
    struct err e = { "" };
    assert_int_equal(tcp_offer(t, NULL, true, at, &e), 0);
    assert_string_equal(at->at[0].name, "lo");
}

TEST(messages_of_several_connections)
{
    static unsigned char bytes[BYTES], expected[BYTES];
    struct tcp t;
    struct tcp_addresses at;
    struct err e = { "" };
    int status;
    offer(&t, &at);
    pid_t child = fork();
    if (child == 0)
        _exit(echoed(&at));
    assert_int_equal(tcp_accept(&t, &at, CONNECTIONS, &e), 0);
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
static void connect_stranger(const struct tcp_addresses *to)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)to->port) };
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(write(fd, "a stranger", 10), 10);
}

TEST(a_stranger_is_sent_away)
{
    struct tcp t, other;
    struct tcp_addresses at;
    struct err e = { "" };
    char sent = 'x', got = 0;
    offer(&t, &at);
    connect_stranger(&at);
    assert_int_equal(tcp_connect(&other, &at, 1, &e), 0);
    assert_int_equal(tcp_accept(&t, &at, 1, &e), 0);
    tcp_give(&other, 0, &sent, 1);
    tcp_take(&t, 0, &got, 1);
    assert_int_equal(got, sent);
    tcp_close(&other);
    tcp_close(&t);
}

TEST(the_first_address_that_answers_is_taken)
{
    struct tcp t, other;
    struct tcp_addresses at;
    struct err e = { "" };
    offer(&t, &at);
    at.at[1] = at.at[0];
    at.count = 2;
    memcpy(at.at[0].ip, (const unsigned char[]){ 0, 0, 0, 255 }, sizeof(at.at[0].ip));
    assert_int_equal(tcp_connect(&other, &at, 1, &e), 1);
    tcp_close(&other);
    tcp_close(&t);
}

TEST(one_that_says_nothing_is_not_waited_for_for_ever)
{
    struct tcp t, other;
    struct tcp_addresses at;
    struct err e = { "" };
    char got;
    offer(&t, &at);
    assert_int_equal(tcp_connect(&other, &at, 1, &e), 0);
    assert_int_equal(tcp_accept(&t, &at, 1, &e), 0);
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

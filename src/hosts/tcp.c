#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* IFF_UP */
#include "hosts/tcp.h"

#include "clock/clock.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { POLLS_BETWEEN_LOOKS = 4096, MOST_CALLERS = 256 };

/* Limits: for all addresses or all callers, for an address; a longer pause is a stopped process. */
static const double PATIENCE_S = 30.0, CONNECT_S = 3.0, STOPPED_S = 1.0;

static bool is_wanted(const struct ifaddrs *i, const char *name, bool same_host)
{
    const unsigned active = IFF_UP | IFF_RUNNING;
    if (i->ifa_addr == NULL || (i->ifa_flags & active) != active)
        return false;
    if (name != NULL)
        return strcmp(i->ifa_name, name) == 0;
    return ((i->ifa_flags & IFF_LOOPBACK) != 0) == same_host;
}

static int list_interfaces(const char *name, bool same_host, struct tcp_addresses *offer,
                           struct err *e)
{
    struct ifaddrs *all, *i;
    bool has_newer = false;
    if (getifaddrs(&all) != 0)
        return err_set(e, "the network interfaces cannot be read: %s", strerror(errno));
    for (i = all; i != NULL && offer->count < MAX_INTERFACES; i = i->ifa_next)
        if (is_wanted(i, name, same_host)) {
            has_newer = has_newer || i->ifa_addr->sa_family == AF_INET6;
            if (i->ifa_addr->sa_family != AF_INET)
                continue;
            const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)i->ifa_addr;
            memcpy(offer->at[offer->count].ip, &in->sin_addr, sizeof(offer->at->ip));
            snprintf(offer->at[offer->count++].name, INTERFACE_NAME, "%s", i->ifa_name);
        }
    freeifaddrs(all);
    if (offer->count > 0)
        return 0;
    const char *newer = has_newer ? ", only IPv6, which skampi cannot measure" : "";
    if (name == NULL)
        return err_set(e, "no active network interface has an IPv4 address%s; see 'ip -4 addr'",
                       newer);
    return err_set(e, "no active network interface %s has an IPv4 address%s; see 'ip -4 addr'",
                   name, newer);
}

static int fail(struct tcp *s, struct err *e, const char *what)
{
    err_set(e, "TCP: %s: %s", what, strerror(errno));
    tcp_close(s);
    return -1;
}

static void stop_listening(struct tcp *s)
{
    while (s->listens > 0)
        close(s->listener[--s->listens]);
}

/* Listens on the addresses that are offered, and on no other, on one port. One that another
 * interface has, too, or on which the port is in use, is left out. -1 without any: errno. */
static int listen_on(struct tcp *s, struct tcp_addresses *offer)
{
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t len = sizeof(at);
    const int count = offer->count;
    offer->count = 0;
    for (int i = 0; i < count; i++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        memcpy(&at.sin_addr, offer->at[i].ip, sizeof(offer->at->ip));
        if (fd >= 0 && bind(fd, (struct sockaddr *)&at, len) == 0 && listen(fd, SOMAXCONN) == 0 &&
            getsockname(fd, (struct sockaddr *)&at, &len) == 0) {
            s->listener[s->listens++] = fd;
            offer->at[offer->count++] = offer->at[i];
        } else if (fd >= 0)
            close(fd);
    }
    offer->port = ntohs(at.sin_port);
    return s->listens > 0 ? 0 : -1;
}

int tcp_offer(struct tcp *s, const char *name, bool same_host, struct tcp_addresses *offer,
              struct err *e)
{
    *s = (struct tcp){ .patience_s = PATIENCE_S };
    memset(offer, 0, sizeof(*offer));
    if (list_interfaces(name, same_host, offer, e) != 0)
        return -1;
    if (listen_on(s, offer) != 0 ||
        getrandom(&offer->secret, sizeof(offer->secret), 0) != sizeof(offer->secret))
        return fail(s, e, "this process cannot listen");
    return 0;
}

/* The milliseconds until then, rounded up; not negative. */
static int ms_until(double then_s)
{
    double left_ms = ceil(1e3 * (then_s - hostclock_now()));
    return left_ms > 0.0 ? (int)left_ms : 0;
}

/* Until the bytes can be sent. */
static int wait_for(int fd, double then_s)
{
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    int rc;
    while ((rc = poll(&p, 1, ms_until(then_s))) < 0 && errno == EINTR)
        ;
    if (rc == 0)
        errno = ETIMEDOUT;
    return rc > 0 ? 0 : -1;
}

/* A connection that polls and sends at once; -1: errno. */
static int connect_to(const unsigned char ip[4], int port, double then_s)
{
    const int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    socklen_t len = sizeof(error);
    memcpy(&to.sin_addr, ip, 4);
    if (fd < 0)
        return -1;
    if ((connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0 ||
         (errno == EINPROGRESS && wait_for(fd, then_s) == 0)) &&
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 && error == 0 &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) == 0)
        return fd;
    error = error != 0 ? error : errno;
    close(fd);
    errno = error;
    return -1;
}

/* Each connection says the secret and its number: one may be heard before an earlier one. */
static int connect_all(struct tcp *s, const unsigned char ip[4], const struct tcp_addresses *offer,
                       int count, double then_s)
{
    while (s->count < count) {
        uint64_t said = offer->secret + (uint64_t)s->count;
        int fd = connect_to(ip, offer->port, fmin(then_s, hostclock_now() + CONNECT_S));
        if (fd < 0)
            return -1;
        s->fd[s->count++] = fd;
        tcp_give(s, s->count - 1, &said, sizeof(said));
    }
    errno = s->broken;
    return s->broken == 0 ? 0 : -1;
}

int tcp_connect(struct tcp *s, const struct tcp_addresses *offer, int count, struct err *e)
{
    double then_s = hostclock_now() + PATIENCE_S;
    for (int i = 0; i < offer->count; i++) {
        *s = (struct tcp){ .patience_s = PATIENCE_S };
        if (connect_all(s, offer->at[i].ip, offer, count, then_s) == 0)
            return i;
        int error = errno;
        tcp_close(s);
        errno = error;
    }
    const unsigned char *ip = offer->at[offer->count - 1].ip;
    bool unreached = errno != EMFILE && errno != ENFILE && errno != ENOMEM;
    return err_set(e, "no TCP connection to %d.%d.%d.%d (%s), port %d: %s%s", ip[0], ip[1], ip[2],
                   ip[3], offer->at[offer->count - 1].name, offer->port, strerror(errno),
                   unreached ? "; name another interface by the key interface, or let a firewall "
                               "pass it"
                             : "");
}

/* Connections that have said nothing yet. */
struct callers {
    int count, fd[MOST_CALLERS];
};

/* Takes a caller that knows the secret as the connection of its number, and closes others; false:
 * it has said nothing yet. */
static bool hear(struct tcp *s, int fd, uint64_t secret)
{
    const int yes = 1;
    uint64_t said = 0;
    ssize_t n = recv(fd, &said, sizeof(said), 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    uint64_t i = said - secret;
    if (n == sizeof(said) && i < (uint64_t)s->count && s->fd[i] < 0 &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) == 0)
        s->fd[i] = fd;
    else
        close(fd);
    return true;
}

static void send_away(struct callers *c, int i)
{
    memmove(&c->fd[i], &c->fd[i + 1], (size_t)(--c->count - i) * sizeof(*c->fd));
}

/* Takes all that a listener has; the oldest silent caller makes room. */
static void take_calls(struct tcp *s, int listener, uint64_t secret, struct callers *c)
{
    int fd;
    while ((fd = accept(listener, NULL, NULL)) >= 0) {
        if (fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
            hear(s, fd, secret))
            continue;
        if (c->count == MOST_CALLERS) {
            close(c->fd[0]);
            send_away(c, 0);
        }
        c->fd[c->count++] = fd;
    }
}

/* Waits until any caller comes or says something. */
static int wait_for_calls(const struct tcp *s, const struct callers *c, double then_s)
{
    struct pollfd all[MAX_INTERFACES + MOST_CALLERS];
    int count = 0;
    for (int i = 0; i < s->listens; i++)
        all[count++] = (struct pollfd){ .fd = s->listener[i], .events = POLLIN };
    for (int i = 0; i < c->count; i++)
        all[count++] = (struct pollfd){ .fd = c->fd[i], .events = POLLIN };
    return poll(all, (nfds_t)count, ms_until(then_s));
}

static bool is_complete(const struct tcp *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->fd[i] < 0)
            return false;
    return true;
}

int tcp_accept(struct tcp *s, const struct tcp_addresses *offer, int count, struct err *e)
{
    struct callers callers = { .count = 0 };
    double then_s = hostclock_now() + s->patience_s;
    bool is_late = false;
    for (s->count = 0; s->count < count; s->count++)
        s->fd[s->count] = -1;
    while (!is_complete(s) && !is_late) {
        is_late = wait_for_calls(s, &callers, then_s) == 0 || hostclock_now() >= then_s;
        for (int i = callers.count - 1; i >= 0; i--)
            if (hear(s, callers.fd[i], offer->secret))
                send_away(&callers, i);
        for (int i = 0; i < s->listens; i++)
            take_calls(s, s->listener[i], offer->secret, &callers);
    }
    for (int i = 0; i < callers.count; i++)
        close(callers.fd[i]);
    stop_listening(s);
    errno = ETIMEDOUT;
    return is_complete(s) ? 0 : fail(s, e, "no connection is accepted");
}

void tcp_close(struct tcp *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->fd[i] >= 0)
            close(s->fd[i]);
    stop_listening(s);
    s->count = 0;
}

/* The other side notices, too. */
static void give_up(struct tcp *s, int error)
{
    s->broken = error;
    for (int i = 0; i < s->count; i++)
        shutdown(s->fd[i], SHUT_RDWR);
}

/* The time of waiting. While the process itself is stopped, it does not wait. */
struct wait {
    long polls;
    double seen_s, waited_s; /* seen 0: not yet */
};

/* Looks at the clock from time to time only. */
static void wait_a_moment(struct tcp *s, struct wait *w)
{
    if (s->yields)
        sched_yield();
    if (++w->polls % POLLS_BETWEEN_LOOKS != 0)
        return;
    double now = hostclock_now(), passed_s = now - w->seen_s;
    if (w->seen_s > 0.0 && passed_s < STOPPED_S)
        w->waited_s += passed_s;
    w->seen_s = now;
    if (w->waited_s > s->patience_s)
        give_up(s, ETIMEDOUT);
}

/* A call that moved n bytes; 0: the other side has ended. Returns how many count. */
static size_t moved(struct tcp *s, ssize_t n, bool receives, struct wait *w)
{
    if (n > 0 || (n == 0 && !receives)) {
        w->waited_s = 0.0;
        return (size_t)n;
    }
    if (n == 0)
        give_up(s, ECONNRESET);
    else if (errno == EAGAIN || errno == EINTR)
        wait_a_moment(s, w);
    else
        give_up(s, errno);
    return 0;
}

void tcp_give(struct tcp *s, int i, const void *from, size_t bytes)
{
    const char *at = from, *end = at + bytes;
    struct wait w = { .polls = 0 };
    while (at < end && s->broken == 0)
        at += moved(s, send(s->fd[i], at, (size_t)(end - at), MSG_NOSIGNAL), false, &w);
}

void tcp_take(struct tcp *s, int i, void *to, size_t bytes)
{
    char *at = to, *end = at + bytes;
    struct wait w = { .polls = 0 };
    while (at < end && s->broken == 0)
        at += moved(s, recv(s->fd[i], at, (size_t)(end - at), 0), true, &w);
}

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

enum { CONNECT_MS = 3000, ACCEPT_MS = 3000, POLLS_BETWEEN_LOOKS = 4096 };

static const double PATIENCE_S = 30.0, STOPPED_S = 1.0;

static bool is_wanted(const struct ifaddrs *i, const char *name, bool same_host)
{
    const unsigned active = IFF_UP | IFF_RUNNING;
    if (i->ifa_addr == NULL || i->ifa_addr->sa_family != AF_INET ||
        (i->ifa_flags & active) != active)
        return false;
    if (name != NULL)
        return strcmp(i->ifa_name, name) == 0;
    return ((i->ifa_flags & IFF_LOOPBACK) != 0) == same_host;
}

static int list_interfaces(const char *name, bool same_host, struct tcp_addresses *offer,
                           struct err *e)
{
    struct ifaddrs *all, *i;
    if (getifaddrs(&all) != 0)
        return err_set(e, "the network interfaces cannot be read: %s", strerror(errno));
    for (i = all; i != NULL && offer->count < MAX_INTERFACES; i = i->ifa_next)
        if (is_wanted(i, name, same_host)) {
            const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)i->ifa_addr;
            memcpy(offer->at[offer->count].ip, &in->sin_addr, sizeof(offer->at->ip));
            snprintf(offer->at[offer->count++].name, INTERFACE_NAME, "%s", i->ifa_name);
        }
    freeifaddrs(all);
    if (offer->count > 0)
        return 0;
    return err_set(e, "no active network interface %s%shas an IPv4 address; see 'ip -4 addr'",
                   name == NULL ? "" : name, name == NULL ? "" : " ");
}

static int fail(struct tcp *s, struct err *e, const char *what)
{
    err_set(e, "TCP: %s: %s", what, strerror(errno));
    tcp_close(s);
    return -1;
}

int tcp_offer(struct tcp *s, const char *name, bool same_host, struct tcp_addresses *offer,
              struct err *e)
{
    struct sockaddr_in any = { .sin_family = AF_INET };
    socklen_t len = sizeof(any);
    *s = (struct tcp){ .patience_s = PATIENCE_S };
    memset(offer, 0, sizeof(*offer));
    if (list_interfaces(name, same_host, offer, e) != 0)
        return -1;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    s->listens = s->listener >= 0;
    if (!s->listens || bind(s->listener, (struct sockaddr *)&any, len) != 0 ||
        listen(s->listener, 2 * MAX_CONNECTIONS) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&any, &len) != 0 ||
        getrandom(&offer->secret, sizeof(offer->secret), 0) != sizeof(offer->secret))
        return fail(s, e, "this process cannot listen");
    offer->port = ntohs(any.sin_port);
    return 0;
}

static int wait_for(int fd, short events, int ms)
{
    struct pollfd p = { .fd = fd, .events = events };
    int rc;
    while ((rc = poll(&p, 1, ms)) < 0 && errno == EINTR)
        ;
    if (rc == 0)
        errno = ETIMEDOUT;
    return rc > 0 ? 0 : -1;
}

/* A connection that polls and sends at once; -1: errno. */
static int connect_to(const unsigned char ip[4], int port)
{
    const int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    socklen_t len = sizeof(error);
    memcpy(&to.sin_addr, ip, 4);
    if (fd < 0)
        return -1;
    if ((connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0 ||
         (errno == EINPROGRESS && wait_for(fd, POLLOUT, CONNECT_MS) == 0)) &&
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 && error == 0 &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) == 0)
        return fd;
    error = error != 0 ? error : errno;
    close(fd);
    errno = error;
    return -1;
}

static int connect_all(struct tcp *s, const unsigned char ip[4], const struct tcp_addresses *offer,
                       int count)
{
    while (s->count < count) {
        int fd = connect_to(ip, offer->port);
        if (fd < 0)
            return -1;
        s->fd[s->count++] = fd;
        tcp_give(s, s->count - 1, &offer->secret, sizeof(offer->secret));
    }
    errno = s->broken;
    return s->broken == 0 ? 0 : -1;
}

int tcp_connect(struct tcp *s, const struct tcp_addresses *offer, int count, struct err *e)
{
    for (int i = 0; i < offer->count; i++) {
        *s = (struct tcp){ .patience_s = PATIENCE_S };
        if (connect_all(s, offer->at[i].ip, offer, count) == 0)
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

/* One that knows the secret; the others are closed. */
static int accept_one(struct tcp *s, uint64_t secret)
{
    const int yes = 1;
    for (;;) {
        uint64_t said = 0;
        if (wait_for(s->listener, POLLIN, ACCEPT_MS) != 0)
            return -1;
        int fd = accept(s->listener, NULL, NULL);
        if (fd < 0)
            return -1;
        if (fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
            wait_for(fd, POLLIN, ACCEPT_MS) == 0 &&
            recv(fd, &said, sizeof(said), 0) == sizeof(said) && said == secret &&
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) == 0)
            return fd;
        close(fd);
    }
}

int tcp_accept(struct tcp *s, const struct tcp_addresses *offer, int count, struct err *e)
{
    while (s->count < count) {
        int fd = accept_one(s, offer->secret);
        if (fd < 0)
            return fail(s, e, "no connection is accepted");
        s->fd[s->count++] = fd;
    }
    close(s->listener);
    s->listens = false;
    return 0;
}

void tcp_close(struct tcp *s)
{
    for (int i = 0; i < s->count; i++)
        close(s->fd[i]);
    if (s->listens)
        close(s->listener);
    s->count = 0;
    s->listens = false;
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

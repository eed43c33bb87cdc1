#include "clock/line.h"

#include <math.h>
#include <stdlib.h>

/* A drift is significant if it exceeds this number of standard errors. */
static const double SIGNIFICANT = 4.0;

double line_offset(const struct line *l, double at_s)
{
    return l->offset_s + l->drift * (at_s - l->at_s);
}

double line_map(const struct line *l, double at_s)
{
    return at_s + line_offset(l, at_s);
}

struct line line_inverse(const struct line *l)
{
    return (struct line){ .at_s = l->at_s + l->offset_s,
                          .offset_s = -l->offset_s,
                          .drift = 1.0 / (1.0 + l->drift) - 1.0,
                          .error_s = l->error_s };
}

struct line line_compose(const struct line *first, const struct line *then)
{
    double between_s = line_map(first, first->at_s);
    return (struct line){ .at_s = first->at_s,
                          .offset_s = first->offset_s + line_offset(then, between_s),
                          .drift = first->drift + then->drift + first->drift * then->drift,
                          .error_s = first->error_s + then->error_s };
}

/* Errors, whose inverse squares are the weights, are zero below the resolution of clocks. */
static const double RESOLUTION_S = 1e-9;

static double weight(const struct sighting *s)
{
    return 1.0 / (s->error_s * s->error_s + RESOLUTION_S * RESOLUTION_S);
}

/* Weighted sums around the means, because readings are large compared with their differences. */
struct sums {
    double weight;
    double at_s, offset_s, error_s; /* means */
    double tt, to, oo;
};

static struct sums means_of(const struct sighting *s, int n)
{
    struct sums m = { 0 };
    for (int i = 0; i < n; i++) {
        double w = weight(&s[i]);
        m.weight += w;
        m.at_s += w * (s[i].at_s - s[0].at_s);
        m.offset_s += w * (s[i].offset_s - s[0].offset_s);
        m.error_s += w * s[i].error_s;
    }
    m.at_s = s[0].at_s + m.at_s / m.weight;
    m.offset_s = s[0].offset_s + m.offset_s / m.weight;
    m.error_s /= m.weight;
    return m;
}

static struct sums sums_of(const struct sighting *s, int n)
{
    struct sums m = means_of(s, n);
    for (int i = 0; i < n; i++) {
        double t = s[i].at_s - m.at_s, o = s[i].offset_s - m.offset_s;
        double share = weight(&s[i]) / m.weight;
        m.tt += share * t * t;
        m.to += share * t * o;
        m.oo += share * o * o;
    }
    return m;
}

static double squares_about(const struct sums *m, double drift)
{
    double left = m->oo - 2.0 * drift * m->to + drift * drift * m->tt;
    return left > 0.0 ? left : 0.0;
}

static double drift_error(const struct sums *m, int n)
{
    if (n < 3 || m->tt <= 0.0)
        return INFINITY;
    return sqrt(squares_about(m, m->to / m->tt) / (n - 2) / m->tt);
}

double line_drift_error(const struct sighting *s, int n)
{
    struct sums m = sums_of(s, n);
    return drift_error(&m, n);
}

struct line line_fit(const struct sighting *s, int n, double drift)
{
    struct sums m = sums_of(s, n);
    double error = drift_error(&m, n);
    if (error < INFINITY) {
        double seen = m.to / m.tt;
        drift = fabs(seen) > SIGNIFICANT * error ? seen : 0.0;
    }
    return (struct line){ .at_s = m.at_s,
                          .offset_s = m.offset_s,
                          .drift = drift,
                          .scatter_s = sqrt(squares_about(&m, drift)),
                          .error_s = m.error_s };
}

static int by_error(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;
    return (x->error_s > y->error_s) - (x->error_s < y->error_s);
}

struct sighting sighting_best(struct sighting *s, int n, double grain_s)
{
    int best = (n + 3) / 4;
    qsort(s, (size_t)n, sizeof(*s), by_error);
    while (best < n && s[best].error_s < s[0].error_s + grain_s)
        best++;
    struct sums m = means_of(s, best);
    return (struct sighting){ m.at_s, m.offset_s, m.error_s };
}

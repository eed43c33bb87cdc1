/* How rank 0 spends the time of a run. Every moment belongs to one activity. An activity inside
 * another one, such as synchronising while a row is measured, counts as the inner one. */
#pragma once

#include "base/text.h"

enum activity {
    ACTIVITY_STARTING,      /* parameter file, hosts, memory */
    ACTIVITY_SYNCHRONISING, /* learning and checking clocks */
    ACTIVITY_PARTNERS,      /* finding the nearest and the farthest process */
    ACTIVITY_COORDINATING,  /* sending all processes the next step */
    ACTIVITY_PREPARING,     /* communicators, datatypes and buffers of an argument */
    ACTIVITY_MEASURING,     /* repetitions, and what belongs to them */
    ACTIVITY_WRITING,       /* output, log and merging */
    ACTIVITIES
};

struct shares {
    double started_s, since_s; /* start of the run; of the current activity */
    enum activity now;
    double spent_s[ACTIVITIES]; /* until since_s */
    /* Parts of ACTIVITY_MEASURING. */
    double timed_s;   /* in repetitions that count */
    double waiting_s; /* for agreed instants */
};

struct shares shares_start(double now_s);

/* Begins another activity. Returns the previous one, so that the caller can resume it. */
enum activity shares_enter(struct shares *s, enum activity next, double now_s);

/* "1.1 % measuring, 0.9 % synchronising, ...": shares of the time since the start. Not all: what
 * comes between measurements is one share. out is empty before. */
void shares_text(const struct shares *s, double now_s, bool all, struct text *out);

#include "plan/rounds.h"

#include "base/text.h"

void rounds_init(struct rounds *r, size_t suites)
{
    *r = (struct rounds){ 0 };
    allocated_array(&r->suites, suites);
}

void rounds_release(struct rounds *r)
{
    free(r->suites);
    *r = (struct rounds){ 0 };
}

void rounds_add(struct rounds *r, size_t suite, bool in_turn)
{
    r->suites[r->left++] = (int)suite;
    r->in_turn += in_turn;
}

int rounds_next(struct rounds *r)
{
    if (r->at >= r->in_turn)
        r->at = 0;
    return r->left > 0 ? r->suites[r->at] : -1;
}

void rounds_remove(struct rounds *r)
{
    r->left--;
    r->in_turn -= r->in_turn > 0;
    for (int i = r->at; i < r->left; i++)
        r->suites[i] = r->suites[i + 1];
}

void rounds_go_on(struct rounds *r)
{
    r->at++;
}

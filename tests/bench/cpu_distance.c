/* Nanoseconds that a cache line takes between the first two CPUs and back. The host of a virtual
 * machine may move its CPUs at any time, to cores that are near each other or distant.
 *
 * cpu_distance
 * prints the shortest mean of many rounds, as what disturbs a round makes it longer. */
#define _GNU_SOURCE /* affinity */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { TURNS = 200, ROUNDS = 40 };

static atomic_int turn;

static void bind_to(size_t cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* A round of a player: 0 waits for even numbers, 1 for odd ones; each adds one. */
static void play(int player, int round)
{
    for (int i = round * TURNS; i < (round + 1) * TURNS; i++) {
        while (atomic_load(&turn) != 2 * i + player)
            ;
        atomic_store(&turn, 2 * i + player + 1);
    }
}

static void *partner(void *none)
{
    bind_to(1);
    for (int round = 0; round < ROUNDS; round++)
        play(1, round);
    return none;
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void)
{
    pthread_t other;
    double best_ns = 1e18;
    bind_to(0);
    if (pthread_create(&other, NULL, partner, NULL) != 0)
        return 2;
    for (int round = 0; round < ROUNDS; round++) {
        double start_ns = now_ns();
        play(0, round);
        double took_ns = (now_ns() - start_ns) / TURNS;
        best_ns = took_ns < best_ns ? took_ns : best_ns;
    }
    pthread_join(other, NULL);
    printf("%.1f\n", best_ns);
    return 0;
}

/* LAMMPS and SPECFEM3D: loops over lists of indices, and over every second point. */
#include "loops/loops.h"

#include <string.h>

enum { XYZ = 3, PROPERTIES = 6 };

/* LAMMPS: the position, then properties of one number each: tag, type, mask, charge, molecule. */
struct particles {
    double *of[PROPERTIES];
};

static struct particles particles_at(const struct application_message *m, char *memory)
{
    struct particles p = { { NULL } };
    for (int i = 0; i < m->count[APPLICATION_SENDS]; i++)
        p.of[i] = (double *)(void *)(memory + m->parts[APPLICATION_SENDS][i].at);
    return p;
}

static struct particles particles_of(const struct application_message *m, const char *memory)
{
    return particles_at(m, (char *)(size_t)memory);
}

void loops_lammps_full_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct particles p = particles_of(m, memory);
    const int *list = m->lists[0];
    double *to = buffer;
    for (long n = m->k[1], i = 0; i < n; i++) {
        int j = list[i];
        *to++ = p.of[0][XYZ * j];
        *to++ = p.of[0][XYZ * j + 1];
        *to++ = p.of[0][XYZ * j + 2];
        *to++ = p.of[1][j];
        *to++ = p.of[2][j];
        *to++ = p.of[3][j];
        *to++ = p.of[4][j];
        *to++ = p.of[5][j];
    }
}

void loops_lammps_full_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct particles p = particles_at(m, memory);
    const double *from = buffer;
    long first = m->k[0], last = first + m->k[1];
    for (long j = first; j < last; j++) {
        p.of[0][XYZ * j] = *from++;
        p.of[0][XYZ * j + 1] = *from++;
        p.of[0][XYZ * j + 2] = *from++;
        p.of[1][j] = *from++;
        p.of[2][j] = *from++;
        p.of[3][j] = *from++;
        p.of[4][j] = *from++;
        p.of[5][j] = *from++;
    }
}

void loops_lammps_atomic_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct particles p = particles_of(m, memory);
    const int *list = m->lists[0];
    double *to = buffer;
    for (long n = m->k[1], i = 0; i < n; i++) {
        int j = list[i];
        *to++ = p.of[0][XYZ * j];
        *to++ = p.of[0][XYZ * j + 1];
        *to++ = p.of[0][XYZ * j + 2];
        *to++ = p.of[1][j];
        *to++ = p.of[2][j];
        *to++ = p.of[3][j];
    }
}

void loops_lammps_atomic_unpack(const struct application_message *m, char *memory,
                                const void *buffer)
{
    const struct particles p = particles_at(m, memory);
    const double *from = buffer;
    long first = m->k[0], last = first + m->k[1];
    for (long j = first; j < last; j++) {
        p.of[0][XYZ * j] = *from++;
        p.of[0][XYZ * j + 1] = *from++;
        p.of[0][XYZ * j + 2] = *from++;
        p.of[1][j] = *from++;
        p.of[2][j] = *from++;
        p.of[3][j] = *from++;
    }
}

void loops_specfem_oc_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const float *a = (const float *)(const void *)memory;
    const int *list = m->lists[0];
    float *to = buffer;
    for (long n = m->k[1], i = 0; i < n; i++)
        to[i] = a[list[i]];
}

void loops_specfem_oc_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    float *a = (float *)(void *)memory;
    const int *list = m->lists[0];
    const float *from = buffer;
    for (long n = m->k[1], i = 0; i < n; i++)
        a[list[i]] = from[i];
}

/* Two arrays: crust and mantle, inner core. */

void loops_specfem_cm_pack(const struct application_message *m, const char *memory, void *buffer)
{
    float *to = buffer;
    for (int part = 0; part < 2; part++) {
        const struct application_part *p = &m->parts[APPLICATION_SENDS][part];
        const float *a = (const float *)(const void *)(memory + p->at);
        const int *list = p->list;
        for (long n = p->runs, i = 0; i < n; i++) {
            *to++ = a[XYZ * list[i]];
            *to++ = a[XYZ * list[i] + 1];
            *to++ = a[XYZ * list[i] + 2];
        }
    }
}

void loops_specfem_cm_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const float *from = buffer;
    for (int part = 0; part < 2; part++) {
        const struct application_part *p = &m->parts[APPLICATION_RECEIVES][part];
        float *a = (float *)(void *)(memory + p->at);
        const int *list = p->list;
        for (long n = p->runs, i = 0; i < n; i++) {
            a[XYZ * list[i]] = *from++;
            a[XYZ * list[i] + 1] = *from++;
            a[XYZ * list[i] + 2] = *from++;
        }
    }
}

/* Points are copied whole; on the other side they arrive in one piece. */

void loops_specfem_mt_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const float *a = (const float *)(const void *)memory;
    float *to = buffer;
    for (long n = m->k[0], i = 0; i < n; i++)
        memcpy(&to[XYZ * i], &a[2 * XYZ * i], XYZ * sizeof(float));
}

void loops_specfem_mt_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = &m->parts[APPLICATION_RECEIVES][0];
    memcpy(memory + p->at, buffer, XYZ * (size_t)m->k[0] * sizeof(float));
}

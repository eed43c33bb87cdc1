/* LAMMPS and SPECFEM3D: loops over lists of indices, and over every second point. */
#include "loops/declared.h"

enum { XYZ = 3 };

/* LAMMPS: the position, then properties of one number each, in arrays of their own. */

static const double *property_at(const struct application_message *m, const char *memory, int i)
{
    return (const double *)(const void *)(memory + m->parts[APPLICATION_SENDS][i].at);
}

static double *property_of(const struct application_message *m, char *memory, int i)
{
    return (double *)(void *)(memory + m->parts[APPLICATION_RECEIVES][i].at);
}

void loops_lammps_full_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const double *x = property_at(m, memory, 0), *tag = property_at(m, memory, 1);
    const double *type = property_at(m, memory, 2), *mask = property_at(m, memory, 3);
    const double *charge = property_at(m, memory, 4), *molecule = property_at(m, memory, 5);
    const int *list = m->lists[0];
    double *to = buffer;
    for (long n = m->k[1], i = 0; i < n; i++) {
        int j = list[i];
        *to++ = x[XYZ * j];
        *to++ = x[XYZ * j + 1];
        *to++ = x[XYZ * j + 2];
        *to++ = tag[j];
        *to++ = type[j];
        *to++ = mask[j];
        *to++ = charge[j];
        *to++ = molecule[j];
    }
}

void loops_lammps_full_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    double *x = property_of(m, memory, 0), *tag = property_of(m, memory, 1);
    double *type = property_of(m, memory, 2), *mask = property_of(m, memory, 3);
    double *charge = property_of(m, memory, 4), *molecule = property_of(m, memory, 5);
    const double *from = buffer;
    long first = m->k[0], last = first + m->k[1];
    for (long j = first; j < last; j++) {
        x[XYZ * j] = *from++;
        x[XYZ * j + 1] = *from++;
        x[XYZ * j + 2] = *from++;
        tag[j] = *from++;
        type[j] = *from++;
        mask[j] = *from++;
        charge[j] = *from++;
        molecule[j] = *from++;
    }
}

void loops_lammps_atomic_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const double *x = property_at(m, memory, 0), *tag = property_at(m, memory, 1);
    const double *type = property_at(m, memory, 2), *mask = property_at(m, memory, 3);
    const int *list = m->lists[0];
    double *to = buffer;
    for (long n = m->k[1], i = 0; i < n; i++) {
        int j = list[i];
        *to++ = x[XYZ * j];
        *to++ = x[XYZ * j + 1];
        *to++ = x[XYZ * j + 2];
        *to++ = tag[j];
        *to++ = type[j];
        *to++ = mask[j];
    }
}

void loops_lammps_atomic_unpack(const struct application_message *m, char *memory,
                                const void *buffer)
{
    double *x = property_of(m, memory, 0), *tag = property_of(m, memory, 1);
    double *type = property_of(m, memory, 2), *mask = property_of(m, memory, 3);
    const double *from = buffer;
    long first = m->k[0], last = first + m->k[1];
    for (long j = first; j < last; j++) {
        x[XYZ * j] = *from++;
        x[XYZ * j + 1] = *from++;
        x[XYZ * j + 2] = *from++;
        tag[j] = *from++;
        type[j] = *from++;
        mask[j] = *from++;
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

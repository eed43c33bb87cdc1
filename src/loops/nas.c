/* NAS LU and MG: faces of arrays of doubles. */
#include "loops/declared.h"

enum { LU = 5 }; /* numbers of a point */

static const struct application_part *sent(const struct application_message *m)
{
    return &m->parts[APPLICATION_SENDS][0];
}

static const struct application_part *received(const struct application_message *m)
{
    return &m->parts[APPLICATION_RECEIVES][0];
}

static const double *doubles_at(const char *memory, const struct application_part *p)
{
    return (const double *)(const void *)(memory + p->at);
}

static double *doubles_of(char *memory, const struct application_part *p)
{
    return (double *)(void *)(memory + p->at);
}

void loops_lu_x_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct application_part *p = sent(m);
    const double *row = doubles_at(memory, p) + p->from[1] * p->size[0] + p->from[0];
    double *to = buffer;
    long nx = p->count[0] / LU;
    for (long i = 0; i < nx; i++)
        for (int c = 0; c < LU; c++)
            to[LU * i + c] = row[LU * i + c];
}

void loops_lu_x_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = received(m);
    const double *from = buffer;
    double *row = doubles_of(memory, p) + p->from[1] * p->size[0] + p->from[0];
    long nx = p->count[0] / LU;
    for (long i = 0; i < nx; i++)
        for (int c = 0; c < LU; c++)
            row[LU * i + c] = from[LU * i + c];
}

void loops_lu_y_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct application_part *p = sent(m);
    const double *u = doubles_at(memory, p);
    double *to = buffer;
    long width = p->size[1], i = p->from[1], j0 = p->from[2], ny = p->count[2];
    for (long j = 0; j < ny; j++)
        for (int c = 0; c < LU; c++)
            to[LU * j + c] = u[((j0 + j) * width + i) * LU + c];
}

void loops_lu_y_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = received(m);
    const double *from = buffer;
    double *u = doubles_of(memory, p);
    long width = p->size[1], i = p->from[1], j0 = p->from[2], ny = p->count[2];
    for (long j = 0; j < ny; j++)
        for (int c = 0; c < LU; c++)
            u[((j0 + j) * width + i) * LU + c] = from[LU * j + c];
}

void loops_mg_x_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct application_part *p = sent(m);
    const double *u = doubles_at(memory, p);
    double *to = buffer;
    long nx = p->size[0], ny = p->size[1], nz = p->size[2], i = p->from[0];
    for (long k = 1; k < nz - 1; k++)
        for (long j = 1; j < ny - 1; j++)
            *to++ = u[(k * ny + j) * nx + i];
}

void loops_mg_x_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = received(m);
    const double *from = buffer;
    double *u = doubles_of(memory, p);
    long nx = p->size[0], ny = p->size[1], nz = p->size[2], i = p->from[0];
    for (long k = 1; k < nz - 1; k++)
        for (long j = 1; j < ny - 1; j++)
            u[(k * ny + j) * nx + i] = *from++;
}

void loops_mg_y_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct application_part *p = sent(m);
    const double *u = doubles_at(memory, p);
    double *to = buffer;
    long nx = p->size[0], ny = p->size[1], nz = p->size[2], j = p->from[1];
    for (long k = 1; k < nz - 1; k++)
        for (long i = 1; i < nx - 1; i++)
            *to++ = u[(k * ny + j) * nx + i];
}

void loops_mg_y_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = received(m);
    const double *from = buffer;
    double *u = doubles_of(memory, p);
    long nx = p->size[0], ny = p->size[1], nz = p->size[2], j = p->from[1];
    for (long k = 1; k < nz - 1; k++)
        for (long i = 1; i < nx - 1; i++)
            u[(k * ny + j) * nx + i] = *from++;
}

void loops_mg_z_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct application_part *p = sent(m);
    const double *u = doubles_at(memory, p);
    double *to = buffer;
    long nx = p->size[0], ny = p->size[1], k = p->from[2];
    for (long j = 1; j < ny - 1; j++)
        for (long i = 1; i < nx - 1; i++)
            *to++ = u[(k * ny + j) * nx + i];
}

void loops_mg_z_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = received(m);
    const double *from = buffer;
    double *u = doubles_of(memory, p);
    long nx = p->size[0], ny = p->size[1], k = p->from[2];
    for (long j = 1; j < ny - 1; j++)
        for (long i = 1; i < nx - 1; i++)
            u[(k * ny + j) * nx + i] = *from++;
}

/* WRF and MILC: loops over boxes of arrays of floats. */
#include "loops/declared.h"

static const float *floats_at(const char *memory, const struct application_part *p)
{
    return (const float *)(const void *)(memory + p->at);
}

static float *floats_of(char *memory, const struct application_part *p)
{
    return (float *)(void *)(memory + p->at);
}

/* WRF's arrays are (i,j), (i,k,j) and (i,k,j,species); each function returns where the buffer goes
 * on. */

static float *pack_ij(const float *a, const struct application_part *p, float *buffer)
{
    long ni = p->size[0], i0 = p->from[0], i1 = i0 + p->count[0];
    long j0 = p->from[1], j1 = j0 + p->count[1];
    for (long j = j0; j < j1; j++)
        for (long i = i0; i < i1; i++)
            *buffer++ = a[j * ni + i];
    return buffer;
}

static const float *unpack_ij(float *a, const struct application_part *p, const float *buffer)
{
    long ni = p->size[0], i0 = p->from[0], i1 = i0 + p->count[0];
    long j0 = p->from[1], j1 = j0 + p->count[1];
    for (long j = j0; j < j1; j++)
        for (long i = i0; i < i1; i++)
            a[j * ni + i] = *buffer++;
    return buffer;
}

static float *pack_ikj(const float *a, const struct application_part *p, float *buffer)
{
    long ni = p->size[0], i0 = p->from[0], i1 = i0 + p->count[0];
    long nk = p->size[1], k0 = p->from[1], k1 = k0 + p->count[1];
    long j0 = p->from[2], j1 = j0 + p->count[2];
    for (long j = j0; j < j1; j++)
        for (long k = k0; k < k1; k++)
            for (long i = i0; i < i1; i++)
                *buffer++ = a[(j * nk + k) * ni + i];
    return buffer;
}

static const float *unpack_ikj(float *a, const struct application_part *p, const float *buffer)
{
    long ni = p->size[0], i0 = p->from[0], i1 = i0 + p->count[0];
    long nk = p->size[1], k0 = p->from[1], k1 = k0 + p->count[1];
    long j0 = p->from[2], j1 = j0 + p->count[2];
    for (long j = j0; j < j1; j++)
        for (long k = k0; k < k1; k++)
            for (long i = i0; i < i1; i++)
                a[(j * nk + k) * ni + i] = *buffer++;
    return buffer;
}

static long species_size(const struct application_part *p)
{
    return p->size[0] * p->size[1] * p->size[2];
}

void loops_wrf_pack(const struct application_message *m, const char *memory, void *buffer)
{
    float *to = buffer;
    for (int n = 0; n < m->count[APPLICATION_SENDS]; n++) {
        const struct application_part *p = &m->parts[APPLICATION_SENDS][n];
        const float *a = floats_at(memory, p);
        if (p->dims == 2)
            to = pack_ij(a, p, to);
        else if (p->dims == 3)
            to = pack_ikj(a, p, to);
        else
            for (long s = p->from[3]; s < p->from[3] + p->count[3]; s++)
                to = pack_ikj(a + s * species_size(p), p, to);
    }
}

void loops_wrf_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const float *from = buffer;
    for (int n = 0; n < m->count[APPLICATION_RECEIVES]; n++) {
        const struct application_part *p = &m->parts[APPLICATION_RECEIVES][n];
        float *a = floats_of(memory, p);
        if (p->dims == 2)
            from = unpack_ij(a, p, from);
        else if (p->dims == 3)
            from = unpack_ikj(a, p, from);
        else
            for (long s = p->from[3]; s < p->from[3] + p->count[3]; s++)
                from = unpack_ikj(a + s * species_size(p), p, from);
    }
}

enum { SU3 = 6 }; /* floats of a vector */

void loops_milc_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const struct application_part *p = &m->parts[APPLICATION_SENDS][0];
    const float *a = floats_at(memory, p);
    float *to = buffer;
    long sites = p->size[0] / SU3, nz = p->size[1], nt = p->size[2];
    for (long parity = 0; parity < 2; parity++)
        for (long t = 0; t < nt; t++)
            for (long site = 0; site < sites; site++)
                for (int c = 0; c < SU3; c++)
                    *to++ = a[((parity * nt + t) * nz * sites + site) * SU3 + c];
}

void loops_milc_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = &m->parts[APPLICATION_RECEIVES][0];
    const float *from = buffer;
    float *a = floats_of(memory, p);
    long sites = p->size[0] / SU3, nz = p->size[1], nt = p->size[2];
    for (long parity = 0; parity < 2; parity++)
        for (long t = 0; t < nt; t++)
            for (long site = 0; site < sites; site++)
                for (int c = 0; c < SU3; c++)
                    a[((parity * nt + t) * nz * sites + site) * SU3 + c] = *from++;
}

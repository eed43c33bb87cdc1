/* The loops of the applications, which both_ways.h has once for both directions. */
#include "loops/declared.h"

enum { LU = 5, SU3 = 6, XYZ = 3 };

#define AT(number, memory, p) ((ARRAY number *)(ARRAY void *)((memory) + (p)->at))

#define LOOPS(test) loops_##test##_pack
#define SIDE        APPLICATION_SENDS
#define ARRAY       const
#define PACKED
#define MOVE(packed, element) ((packed) = (element))
#define PARTICLE(m, i)        ((m)->lists[0][i])
#include "loops/both_ways.h"
#undef LOOPS
#undef SIDE
#undef ARRAY
#undef PACKED
#undef MOVE
#undef PARTICLE

#define LOOPS(test) loops_##test##_unpack
#define SIDE        APPLICATION_RECEIVES
#define ARRAY
#define PACKED                const
#define MOVE(packed, element) ((element) = (packed))
#define PARTICLE(m, i)        ((m)->k[0] + (i))
#include "loops/both_ways.h"

/* SPECFEM3D_mt: points are copied whole; on the other side they arrive in one piece. */

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

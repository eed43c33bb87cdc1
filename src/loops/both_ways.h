/* Included once for each direction: LOOPS names a function, SIDE is the side whose parts it needs,
 * MOVE packs or unpacks a number; ARRAY and PACKED are const where it only reads. */

/* NAS LU: points of LU numbers. */

void LOOPS(lu_x)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    const struct application_part *p = &m->parts[SIDE][0];
    ARRAY double *row = AT(double, memory, p) + p->from[1] * p->size[0] + p->from[0];
    PACKED double *packed = buffer;
    long nx = p->count[0] / LU;
    for (long i = 0; i < nx; i++)
        for (int c = 0; c < LU; c++)
            MOVE(packed[LU * i + c], row[LU * i + c]);
}

void LOOPS(lu_y)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    const struct application_part *p = &m->parts[SIDE][0];
    ARRAY double *u = AT(double, memory, p);
    PACKED double *packed = buffer;
    long width = p->size[1], i = p->from[1], j0 = p->from[2], ny = p->count[2];
    for (long j = 0; j < ny; j++)
        for (int c = 0; c < LU; c++)
            MOVE(packed[LU * j + c], u[((j0 + j) * width + i) * LU + c]);
}

/* NAS MG: faces across each dimension. */

void LOOPS(mg_x)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    const struct application_part *p = &m->parts[SIDE][0];
    ARRAY double *u = AT(double, memory, p);
    PACKED double *packed = buffer;
    long nx = p->size[0], ny = p->size[1], nz = p->size[2], i = p->from[0];
    for (long k = 1; k < nz - 1; k++)
        for (long j = 1; j < ny - 1; j++)
            MOVE(*packed++, u[(k * ny + j) * nx + i]);
}

void LOOPS(mg_y)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    const struct application_part *p = &m->parts[SIDE][0];
    ARRAY double *u = AT(double, memory, p);
    PACKED double *packed = buffer;
    long nx = p->size[0], ny = p->size[1], nz = p->size[2], j = p->from[1];
    for (long k = 1; k < nz - 1; k++)
        for (long i = 1; i < nx - 1; i++)
            MOVE(*packed++, u[(k * ny + j) * nx + i]);
}

void LOOPS(mg_z)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    const struct application_part *p = &m->parts[SIDE][0];
    ARRAY double *u = AT(double, memory, p);
    PACKED double *packed = buffer;
    long nx = p->size[0], ny = p->size[1], k = p->from[2];
    for (long j = 1; j < ny - 1; j++)
        for (long i = 1; i < nx - 1; i++)
            MOVE(*packed++, u[(k * ny + j) * nx + i]);
}

/* WRF's arrays are (i,j), (i,k,j) and (i,k,j,species); these return where the buffer goes on. */

static PACKED float *LOOPS(ij)(ARRAY float *a, const struct application_part *p,
                               PACKED float *packed)
{
    long ni = p->size[0], i0 = p->from[0], i1 = i0 + p->count[0];
    long j0 = p->from[1], j1 = j0 + p->count[1];
    for (long j = j0; j < j1; j++)
        for (long i = i0; i < i1; i++)
            MOVE(*packed++, a[j * ni + i]);
    return packed;
}

static PACKED float *LOOPS(ikj)(ARRAY float *a, const struct application_part *p,
                                PACKED float *packed)
{
    long ni = p->size[0], i0 = p->from[0], i1 = i0 + p->count[0];
    long nk = p->size[1], k0 = p->from[1], k1 = k0 + p->count[1];
    long j0 = p->from[2], j1 = j0 + p->count[2];
    for (long j = j0; j < j1; j++)
        for (long k = k0; k < k1; k++)
            for (long i = i0; i < i1; i++)
                MOVE(*packed++, a[(j * nk + k) * ni + i]);
    return packed;
}

void LOOPS(wrf)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    PACKED float *packed = buffer;
    for (int n = 0; n < m->count[SIDE]; n++) {
        const struct application_part *p = &m->parts[SIDE][n];
        ARRAY float *a = AT(float, memory, p);
        long species = p->size[0] * p->size[1] * p->size[2];
        if (p->dims == 2)
            packed = LOOPS(ij)(a, p, packed);
        else if (p->dims == 3)
            packed = LOOPS(ikj)(a, p, packed);
        else
            for (long s = p->from[3]; s < p->from[3] + p->count[3]; s++)
                packed = LOOPS(ikj)(a + s * species, p, packed);
    }
}

/* MILC: the sites of a lattice, of even parity first; each has a vector of SU3 floats. */

void LOOPS(milc)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    const struct application_part *p = &m->parts[SIDE][0];
    ARRAY float *a = AT(float, memory, p);
    PACKED float *packed = buffer;
    long sites = p->size[0] / SU3, nz = p->size[1], nt = p->size[2];
    for (long parity = 0; parity < 2; parity++)
        for (long t = 0; t < nt; t++)
            for (long site = 0; site < sites; site++)
                for (int c = 0; c < SU3; c++)
                    MOVE(*packed++, a[((parity * nt + t) * nz * sites + site) * SU3 + c]);
}

/* LAMMPS: the position, then properties of one number each, in arrays of their own. PARTICLE is the
 * i-th one that is sent, or received. */

void LOOPS(lammps_full)(const struct application_message *m, ARRAY char *memory,
                        PACKED void *buffer)
{
    const struct application_part *p = m->parts[SIDE];
    ARRAY double *x = AT(double, memory, &p[0]), *tag = AT(double, memory, &p[1]);
    ARRAY double *type = AT(double, memory, &p[2]), *mask = AT(double, memory, &p[3]);
    ARRAY double *charge = AT(double, memory, &p[4]), *molecule = AT(double, memory, &p[5]);
    PACKED double *packed = buffer;
    for (long n = m->k[1], i = 0; i < n; i++) {
        long j = PARTICLE(m, i);
        MOVE(*packed++, x[XYZ * j]);
        MOVE(*packed++, x[XYZ * j + 1]);
        MOVE(*packed++, x[XYZ * j + 2]);
        MOVE(*packed++, tag[j]);
        MOVE(*packed++, type[j]);
        MOVE(*packed++, mask[j]);
        MOVE(*packed++, charge[j]);
        MOVE(*packed++, molecule[j]);
    }
}

void LOOPS(lammps_atomic)(const struct application_message *m, ARRAY char *memory,
                          PACKED void *buffer)
{
    const struct application_part *p = m->parts[SIDE];
    ARRAY double *x = AT(double, memory, &p[0]), *tag = AT(double, memory, &p[1]);
    ARRAY double *type = AT(double, memory, &p[2]), *mask = AT(double, memory, &p[3]);
    PACKED double *packed = buffer;
    for (long n = m->k[1], i = 0; i < n; i++) {
        long j = PARTICLE(m, i);
        MOVE(*packed++, x[XYZ * j]);
        MOVE(*packed++, x[XYZ * j + 1]);
        MOVE(*packed++, x[XYZ * j + 2]);
        MOVE(*packed++, tag[j]);
        MOVE(*packed++, type[j]);
        MOVE(*packed++, mask[j]);
    }
}

/* SPECFEM3D: listed points; cm has two arrays, crust and mantle, and inner core. */

void LOOPS(specfem_oc)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    ARRAY float *a = (ARRAY float *)(ARRAY void *)memory;
    const int *list = m->lists[0];
    PACKED float *packed = buffer;
    for (long n = m->k[1], i = 0; i < n; i++)
        MOVE(packed[i], a[list[i]]);
}

void LOOPS(specfem_cm)(const struct application_message *m, ARRAY char *memory, PACKED void *buffer)
{
    PACKED float *packed = buffer;
    for (int part = 0; part < 2; part++) {
        const struct application_part *p = &m->parts[SIDE][part];
        ARRAY float *a = AT(float, memory, p);
        const int *list = p->list;
        for (long n = p->runs, i = 0; i < n; i++) {
            MOVE(*packed++, a[XYZ * list[i]]);
            MOVE(*packed++, a[XYZ * list[i] + 1]);
            MOVE(*packed++, a[XYZ * list[i] + 2]);
        }
    }
}

/* The loops of bare_ddt: what a programmer writes to pack and unpack the layouts of ddtbench. */
#include "ddt_loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *touched(size_t bytes)
{
    void *p = malloc(bytes);
    if (p == NULL)
        exit(2);
    return memset(p, 1, bytes);
}

static float *floats(long n)
{
    return touched((size_t)n * sizeof(float));
}

static double *doubles(long n)
{
    return touched((size_t)n * sizeof(double));
}

/* n distinct numbers below all, in random order. */
static void draw(struct exchange *x, int which, long n, long all, unsigned *seed)
{
    int *list = x->list[which] = realloc(x->list[which], (size_t)all * sizeof(int));
    for (int i = 0; i < all; i++)
        list[i] = i;
    for (int i = 0; i < n; i++) {
        int other = i + (int)((long)rand_r(seed) % (all - i)), drawn = list[other];
        list[other] = list[i];
        list[i] = drawn;
    }
}

/* --- WRF: four arrays (i,j), three (i,k,j), two (i,k,j,2) of which the second half is sent --- */

struct wrf {
    long ni, nk, i0, i1, k0, k1, j0, j1;
};

static struct wrf wrf_face(const long *k)
{
    return (struct wrf){ k[1] - k[0] + 1, k[3] - k[2] + 1, k[6] - k[0],  k[7] - k[0],
                         k[8] - k[2],     k[9] - k[2],     k[10] - k[4], k[11] - k[4] };
}

static void wrf_arrays(struct exchange *x)
{
    const long *k = x->k;
    long plane = (k[1] - k[0] + 1) * (k[5] - k[4] + 1), cube = plane * (k[3] - k[2] + 1);
    for (int a = 0; a < 9; a++)
        x->f[a] = floats(a < 4 ? plane : a < 7 ? cube : 2 * cube);
}

static float *wrf_cube(const struct exchange *x, int a)
{
    const long *k = x->k;
    long cube = (k[1] - k[0] + 1) * (k[3] - k[2] + 1) * (k[5] - k[4] + 1);
    return x->f[a] + (a < 7 ? 0 : cube);
}

static void wrf_pack(const struct exchange *x)
{
    struct wrf w = wrf_face(x->k);
    float *to = x->message;
    long n = 0;
    for (int a = 0; a < 4; a++)
        for (long j = w.j0; j <= w.j1; j++)
            for (long i = w.i0; i <= w.i1; i++)
                to[n++] = x->f[a][j * w.ni + i];
    for (int a = 4; a < 9; a++) {
        const float *from = wrf_cube(x, a);
        for (long j = w.j0; j <= w.j1; j++)
            for (long k = w.k0; k <= w.k1; k++)
                for (long i = w.i0; i <= w.i1; i++)
                    to[n++] = from[(j * w.nk + k) * w.ni + i];
    }
}

static void wrf_unpack(const struct exchange *x)
{
    struct wrf w = wrf_face(x->k);
    const float *from = x->arrived;
    long n = 0;
    for (int a = 0; a < 4; a++)
        for (long j = w.j0; j <= w.j1; j++)
            for (long i = w.i0; i <= w.i1; i++)
                x->f[a][j * w.ni + i] = from[n++];
    for (int a = 4; a < 9; a++) {
        float *to = wrf_cube(x, a);
        for (long j = w.j0; j <= w.j1; j++)
            for (long k = w.k0; k <= w.k1; k++)
                for (long i = w.i0; i <= w.i1; i++)
                    to[(j * w.nk + k) * w.ni + i] = from[n++];
    }
}

/* --- MILC: x, y, z, t; sites of 6 floats, those of even parity first; z = 0 --- */

static void milc_arrays(struct exchange *x)
{
    x->f[0] = floats(6 * x->k[0] * x->k[1] * x->k[2] * x->k[3]);
}

static float *milc_plane(const struct exchange *x, int parity, long t)
{
    const long *k = x->k;
    return x->f[0] + 6 * (parity * k[3] + t) * (k[0] * k[1] * k[2] / 2);
}

static void milc_pack(const struct exchange *x)
{
    float *to = x->message;
    long n = 0, sites = x->k[0] * x->k[1] / 2;
    for (int parity = 0; parity < 2; parity++)
        for (long t = 0; t < x->k[3]; t++) {
            const float *from = milc_plane(x, parity, t);
            for (long i = 0; i < sites; i++)
                for (int c = 0; c < 6; c++)
                    to[n++] = from[6 * i + c];
        }
}

static void milc_unpack(const struct exchange *x)
{
    const float *from = x->arrived;
    long n = 0, sites = x->k[0] * x->k[1] / 2;
    for (int parity = 0; parity < 2; parity++)
        for (long t = 0; t < x->k[3]; t++) {
            float *to = milc_plane(x, parity, t);
            for (long i = 0; i < sites; i++)
                for (int c = 0; c < 6; c++)
                    to[6 * i + c] = from[n++];
        }
}

/* --- NAS LU: n x n points of 5 doubles with a border; the last row or column --- */

static void lu_arrays(struct exchange *x)
{
    x->d[0] = doubles(5 * (x->k[0] + 2) * (x->k[0] + 2));
}

static void lu_x_pack(const struct exchange *x)
{
    const double *u = x->d[0];
    double *to = x->message;
    long nx = x->k[0], n = 0;
    for (long i = 1; i <= nx; i++)
        for (int m = 0; m < 5; m++)
            to[n++] = u[(nx * (nx + 2) + i) * 5 + m];
}

static void lu_x_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *u = x->d[0];
    long nx = x->k[0], n = 0;
    for (long i = 1; i <= nx; i++)
        for (int m = 0; m < 5; m++)
            u[((nx + 1) * (nx + 2) + i) * 5 + m] = from[n++];
}

static void lu_y_pack(const struct exchange *x)
{
    const double *u = x->d[0];
    double *to = x->message;
    long nx = x->k[0], n = 0;
    for (long j = 1; j <= nx; j++)
        for (int m = 0; m < 5; m++)
            to[n++] = u[(j * (nx + 2) + nx) * 5 + m];
}

static void lu_y_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *u = x->d[0];
    long nx = x->k[0], n = 0;
    for (long j = 1; j <= nx; j++)
        for (int m = 0; m < 5; m++)
            u[(j * (nx + 2) + nx + 1) * 5 + m] = from[n++];
}

/* --- NAS MG: nx x ny x nz doubles; the last plane inside is sent, the border receives --- */

static void mg_arrays(struct exchange *x)
{
    x->d[0] = doubles(x->k[0] * x->k[1] * x->k[2]);
}

static void mg_x_pack(const struct exchange *x)
{
    const double *u = x->d[0];
    double *to = x->message;
    long nx = x->k[0], ny = x->k[1], nz = x->k[2], n = 0;
    for (long k = 1; k < nz - 1; k++)
        for (long j = 1; j < ny - 1; j++)
            to[n++] = u[(k * ny + j) * nx + nx - 2];
}

static void mg_x_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *u = x->d[0];
    long nx = x->k[0], ny = x->k[1], nz = x->k[2], n = 0;
    for (long k = 1; k < nz - 1; k++)
        for (long j = 1; j < ny - 1; j++)
            u[(k * ny + j) * nx + nx - 1] = from[n++];
}

static void mg_y_pack(const struct exchange *x)
{
    const double *u = x->d[0];
    double *to = x->message;
    long nx = x->k[0], ny = x->k[1], nz = x->k[2], n = 0;
    for (long k = 1; k < nz - 1; k++)
        for (long i = 1; i < nx - 1; i++)
            to[n++] = u[(k * ny + ny - 2) * nx + i];
}

static void mg_y_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *u = x->d[0];
    long nx = x->k[0], ny = x->k[1], nz = x->k[2], n = 0;
    for (long k = 1; k < nz - 1; k++)
        for (long i = 1; i < nx - 1; i++)
            u[(k * ny + ny - 1) * nx + i] = from[n++];
}

static void mg_z_pack(const struct exchange *x)
{
    const double *u = x->d[0];
    double *to = x->message;
    long nx = x->k[0], ny = x->k[1], nz = x->k[2], n = 0;
    for (long j = 1; j < ny - 1; j++)
        for (long i = 1; i < nx - 1; i++)
            to[n++] = u[((nz - 2) * ny + j) * nx + i];
}

static void mg_z_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *u = x->d[0];
    long nx = x->k[0], ny = x->k[1], nz = x->k[2], n = 0;
    for (long j = 1; j < ny - 1; j++)
        for (long i = 1; i < nx - 1; i++)
            u[((nz - 1) * ny + j) * nx + i] = from[n++];
}

/* --- LAMMPS: n of N particles: position, tag, type, mask; full has charge and molecule, too.
 * They arrive after the N-th --- */

static void lammps_arrays(struct exchange *x, int properties)
{
    for (int a = 0; a < properties; a++)
        x->d[a] = doubles((a == 0 ? 3 : 1) * (x->k[0] + x->k[1]));
}

static void full_arrays(struct exchange *x)
{
    lammps_arrays(x, 6);
}

static void atomic_arrays(struct exchange *x)
{
    lammps_arrays(x, 4);
}

static void full_pack(const struct exchange *x)
{
    double *to = x->message, *const *d = x->d;
    const int *list = x->list[0];
    long n = 0;
    for (long i = 0; i < x->k[1]; i++) {
        long p = list[i];
        to[n++] = d[0][3 * p];
        to[n++] = d[0][3 * p + 1];
        to[n++] = d[0][3 * p + 2];
        to[n++] = d[1][p];
        to[n++] = d[2][p];
        to[n++] = d[3][p];
        to[n++] = d[4][p];
        to[n++] = d[5][p];
    }
}

static void full_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *const *d = x->d;
    long n = 0;
    for (long p = x->k[0]; p < x->k[0] + x->k[1]; p++) {
        d[0][3 * p] = from[n++];
        d[0][3 * p + 1] = from[n++];
        d[0][3 * p + 2] = from[n++];
        d[1][p] = from[n++];
        d[2][p] = from[n++];
        d[3][p] = from[n++];
        d[4][p] = from[n++];
        d[5][p] = from[n++];
    }
}

static void atomic_pack(const struct exchange *x)
{
    double *to = x->message, *const *d = x->d;
    const int *list = x->list[0];
    long n = 0;
    for (long i = 0; i < x->k[1]; i++) {
        long p = list[i];
        to[n++] = d[0][3 * p];
        to[n++] = d[0][3 * p + 1];
        to[n++] = d[0][3 * p + 2];
        to[n++] = d[1][p];
        to[n++] = d[2][p];
        to[n++] = d[3][p];
    }
}

static void atomic_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *const *d = x->d;
    long n = 0;
    for (long p = x->k[0]; p < x->k[0] + x->k[1]; p++) {
        d[0][3 * p] = from[n++];
        d[0][3 * p + 1] = from[n++];
        d[0][3 * p + 2] = from[n++];
        d[1][p] = from[n++];
        d[2][p] = from[n++];
        d[3][p] = from[n++];
    }
}

static void particle_lists(struct exchange *x, unsigned *seed)
{
    draw(x, 0, x->k[1], x->k[0], seed);
}

/* --- SPECFEM3D: listed floats (oc), listed triples of two arrays (cm), every second triple (mt)
 * --- */

static void oc_arrays(struct exchange *x)
{
    x->f[0] = floats(x->k[0]);
}

static void oc_pack(const struct exchange *x)
{
    const float *a = x->f[0];
    const int *list = x->list[0];
    float *to = x->message;
    for (long i = 0; i < x->k[1]; i++)
        to[i] = a[list[i]];
}

static void oc_unpack(const struct exchange *x)
{
    const float *from = x->arrived;
    const int *list = x->list[0];
    float *a = x->f[0];
    for (long i = 0; i < x->k[1]; i++)
        a[list[i]] = from[i];
}

static void cm_arrays(struct exchange *x)
{
    x->f[0] = floats(3 * x->k[0]);
    x->f[1] = floats(3 * x->k[1]);
}

static void cm_lists(struct exchange *x, unsigned *seed)
{
    draw(x, 0, x->k[2], x->k[0], seed);
    draw(x, 1, x->k[3], x->k[1], seed);
}

static void cm_pack(const struct exchange *x)
{
    float *to = x->message;
    for (int part = 0; part < 2; part++) {
        const float *a = x->f[part];
        const int *list = x->list[part];
        for (long i = 0; i < x->k[2 + part]; i++) {
            long point = list[i];
            *to++ = a[3 * point];
            *to++ = a[3 * point + 1];
            *to++ = a[3 * point + 2];
        }
    }
}

static void cm_unpack(const struct exchange *x)
{
    const float *from = x->arrived;
    for (int part = 0; part < 2; part++) {
        float *a = x->f[part];
        const int *list = x->list[part];
        for (long i = 0; i < x->k[2 + part]; i++) {
            long point = list[i];
            a[3 * point] = *from++;
            a[3 * point + 1] = *from++;
            a[3 * point + 2] = *from++;
        }
    }
}

static void mt_arrays(struct exchange *x)
{
    x->f[0] = floats(6 * x->k[0]);
    x->f[1] = floats(3 * x->k[0]);
}

static void mt_pack(const struct exchange *x)
{
    const float *points = x->f[0];
    float *to = x->message;
    for (long n = x->k[0], i = 0; i < n; i++)
        memcpy(to + 3 * i, points + 6 * i, 3 * sizeof(float));
}

/* --- FFT: n/p rows of a matrix of complex numbers; a block of columns for each process, and what
 * arrives are columns of the other matrix --- */

static void fft_arrays(struct exchange *x)
{
    for (int a = 0; a < 2; a++)
        x->d[a] = doubles(2 * x->k[0] * x->k[0] / x->size);
}

static void fft_pack(const struct exchange *x)
{
    const double *matrix = x->d[x->turn];
    double *to = x->message;
    long n = x->k[0], rows = n / x->size;
    for (long b = 0; b < x->size; b++)
        for (long r = 0; r < rows; r++) {
            memcpy(to, matrix + 2 * (r * n + b * rows), (size_t)rows * 2 * sizeof(double));
            to += 2 * rows;
        }
}

static void fft_unpack(const struct exchange *x)
{
    const double *from = x->arrived;
    double *to = x->d[1 - x->turn];
    long n = x->k[0], rows = n / x->size, m = 0;
    for (long b = 0; b < x->size; b++)
        for (long column = 0; column < rows; column++)
            for (long r = 0; r < rows; r++) {
                to[2 * (r * n + b * rows + column)] = from[m++];
                to[2 * (r * n + b * rows + column) + 1] = from[m++];
            }
}

static const struct loops all[] = {
    { "WRF_x_vec", wrf_arrays, NULL, wrf_pack, wrf_unpack, false },
    { "WRF_y_vec", wrf_arrays, NULL, wrf_pack, wrf_unpack, false },
    { "WRF_x_sa", wrf_arrays, NULL, wrf_pack, wrf_unpack, false },
    { "WRF_y_sa", wrf_arrays, NULL, wrf_pack, wrf_unpack, false },
    { "MILC_su3_zd", milc_arrays, NULL, milc_pack, milc_unpack, false },
    { "NAS_LU_x", lu_arrays, NULL, lu_x_pack, lu_x_unpack, false },
    { "NAS_LU_y", lu_arrays, NULL, lu_y_pack, lu_y_unpack, false },
    { "NAS_MG_x", mg_arrays, NULL, mg_x_pack, mg_x_unpack, false },
    { "NAS_MG_y", mg_arrays, NULL, mg_y_pack, mg_y_unpack, false },
    { "NAS_MG_z", mg_arrays, NULL, mg_z_pack, mg_z_unpack, false },
    { "LAMMPS_full", full_arrays, particle_lists, full_pack, full_unpack, false },
    { "LAMMPS_atomic", atomic_arrays, particle_lists, atomic_pack, atomic_unpack, false },
    { "SPECFEM3D_oc", oc_arrays, particle_lists, oc_pack, oc_unpack, false },
    { "SPECFEM3D_cm", cm_arrays, cm_lists, cm_pack, cm_unpack, false },
    { "SPECFEM3D_mt", mt_arrays, NULL, mt_pack, NULL, false },
    { "FFT", fft_arrays, NULL, fft_pack, fft_unpack, true },
};

const struct loops *loops_find(const char *test)
{
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(all[i].test, test) == 0)
            return &all[i];
    fprintf(stderr, "bare_ddt: no test '%s'\n", test);
    exit(2);
}

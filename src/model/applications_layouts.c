/* The tests: their arrays, the parts that are sent, and the sizes of known application runs. */
#include "model/applications.h"

/* The largest numbers of an own case: MPI counts places in an array with an int. */
#define LARGEST_BOX     10000
#define LARGEST_LATTICE 1000
#define LARGEST_LIST    1000000

/* WRF: the indices of the memory and those of the face, inclusive: i, k, j each. */

enum { WRF_2D = 4, WRF_3D = 3, WRF_4D = 2, SPECIES = 2 };

static void wrf_dim(struct application_part *p, int dim, const long *memory, const long *face)
{
    p->size[dim] = memory[1] - memory[0] + 1;
    p->from[dim] = face[0] - memory[0];
    p->count[dim] = face[1] - face[0] + 1;
}

/* The second species of 4-dimensional arrays is sent. */
static struct application_part wrf_part(const long *k, enum application_side side, int i)
{
    const long all_species[] = { 1, SPECIES }, sent_species[] = { SPECIES, SPECIES };
    int dims = 2 + (i >= WRF_2D) + (i >= WRF_2D + WRF_3D);
    struct application_part p = { .dims = dims };
    wrf_dim(&p, 0, k, k + 6);
    if (dims > 2)
        wrf_dim(&p, 1, k + 2, k + 8);
    wrf_dim(&p, dims > 2 ? 2 : 1, k + 4, k + 10);
    if (dims > 3)
        wrf_dim(&p, 3, all_species, sent_species);
    return p;
}

static const char *wrf_objection(const long *k)
{
    for (int i = 0; i < 6; i += 2)
        if (k[i] < -LARGEST_BOX || k[i] > k[i + 6] || k[i + 6] > k[i + 7] || k[i + 7] > k[i + 1] ||
            k[i + 1] > LARGEST_BOX)
            return "the face must be inside the memory, with each first at most its last and none "
                   "beyond 10000";
    return NULL;
}

#define WRF_NUMBERS "i,k,j of the memory and i,k,j of the face, each as first,last"

static const struct application_case wrf_x[] = {
    { "em_b_wave on 2x2 processes", { -4, 27, 1, 65, 34, 85, 18, 20, 1, 65, 38, 81 } },
    { "em_b_wave on 4x4 processes", { 4, 27, 1, 65, 14, 47, 18, 20, 1, 65, 18, 43 } },
    { "em_b_wave on 8x8 processes", { 4, 22, 1, 65, 4, 27, 13, 15, 1, 65, 8, 23 } },
};

static const struct application_case wrf_y[] = {
    { "em_b_wave on 2x2 processes", { -4, 27, 1, 65, 34, 85, 1, 23, 1, 65, 41, 43 } },
    { "em_b_wave on 3x3 processes", { 8, 34, 1, 65, 21, 61, 12, 30, 1, 65, 28, 30 } },
    { "em_b_wave on 4x4 processes", { 4, 27, 1, 65, 14, 47, 8, 23, 1, 65, 21, 23 } },
    { "em_b_wave on 5x5 processes", { 10, 31, 1, 65, 10, 39, 14, 27, 1, 65, 17, 19 } },
    { "em_b_wave on 8x8 processes", { 4, 22, 1, 65, 4, 27, 8, 18, 1, 65, 11, 13 } },
};

/* MILC: x, y, z, t. A lattice of su3 vectors, the sites of even parity first; z = 0 is sent. */
static struct application_part milc_part(const long *k, enum application_side side, int i)
{
    long half_plane = 6 * (k[0] * k[1] / 2);
    return (struct application_part){ .dims = 4,
                                      .size = { half_plane, k[2], k[3], 2 },
                                      .count = { half_plane, 1, k[3], 2 } };
}

static const char *milc_objection(const long *k)
{
    return k[0] % 2 != 0 && k[1] % 2 != 0 ? "x times y must be even" : NULL;
}

static const struct application_case milc[] = {
    { "lattice of 16x16x16x16", { 16, 16, 16, 16 } },
    { "lattice of 8x16x16x16", { 8, 16, 16, 16 } },
    { "lattice of 8x8x8x16", { 8, 8, 8, 16 } },
    { "lattice of 8x8x8x8", { 8, 8, 8, 8 } },
};

/* NAS LU: nx, ny. Points of 5 numbers, with a border of one point; the last row or column inside is
 * sent, and the border next to it receives. */
static struct application_part lu_x_part(const long *k, enum application_side side, int i)
{
    return (struct application_part){
        .dims = 2,
        .size = { 5 * (k[0] + 2), k[1] + 2 },
        .from = { 5, side == APPLICATION_SENDS ? k[1] : k[1] + 1 },
        .count = { 5 * k[0], 1 },
    };
}

static struct application_part lu_y_part(const long *k, enum application_side side, int i)
{
    return (struct application_part){
        .dims = 3,
        .size = { 5, k[0] + 2, k[1] + 2 },
        .from = { 0, side == APPLICATION_SENDS ? k[0] : k[0] + 1, 1 },
        .count = { 5, 1, k[1] },
    };
}

static const struct application_case lu[] = {
    { "class S", { 12, 12 } },     { "class W", { 33, 33 } },   { "class A", { 64, 64 } },
    { "class B", { 102, 102 } },   { "class C", { 162, 162 } }, { "class D", { 408, 408 } },
    { "class E", { 1020, 1020 } },
};

/* NAS MG: nx, ny, nz with the border. The last plane inside is sent, and the border receives. */
static struct application_part mg_part(const long *k, enum application_side side, int dim)
{
    struct application_part p = { .dims = 3,
                                  .size = { k[0], k[1], k[2] },
                                  .from = { 1, 1, 1 },
                                  .count = { k[0] - 2, k[1] - 2, k[2] - 2 } };
    p.from[dim] = side == APPLICATION_SENDS ? k[dim] - 2 : k[dim] - 1;
    p.count[dim] = 1;
    return p;
}

static const struct application_case mg[] = {
    { "class S on 4 processes", { 34, 18, 18 } },
    { "class W on 4 processes", { 130, 66, 66 } },
    { "class A on 4 processes", { 258, 130, 130 } },
    { "class C on 4 processes", { 514, 258, 258 } },
};

/* LAMMPS: N, n. Properties of particles, the position with 3 numbers; n of N particles are sent,
 * and received after the N-th. */

static struct application_part lammps_part(const long *k, enum application_side side, int i)
{
    int width = i == 0 ? 3 : 1;
    struct application_part p = { .dims = 1, .size = { width * (k[0] + k[1]) } };
    if (side == APPLICATION_SENDS) {
        p.width = width;
    } else {
        p.from[0] = width * k[0];
        p.count[0] = width * k[1];
    }
    return p;
}

static const struct application_case lammps_full[] = {
    { "peptide on 2 processes", { 3534, 3062 } },
    { "peptide on 4 processes", { 2597, 2243 } },
    { "peptide on 8 processes", { 1907, 1662 } },
};

static const struct application_case lammps_atomic[] = {
    { "crack on 2 processes", { 4084, 243 } },
    { "crack on 4 processes", { 2157, 145 } },
    { "crack on 8 processes", { 1217, 114 } },
};

/* SPECFEM3D: the same list is sent and received. oc: N, n. */
static struct application_part oc_part(const long *k, enum application_side side, int i)
{
    return (struct application_part){ .dims = 1, .size = { k[0] }, .width = 1 };
}

static const struct application_case oc[] = {
    { "outer core on 10x10x6 processes, c=4", { 88881, 3225 } },
    { "outer core on 10x10x6 processes, c=3", { 38585, 1897 } },
    { "outer core on 10x10x6 processes, c=2", { 12857, 877 } },
    { "outer core on 10x10x6 processes, c=1", { 3697, 493 } },
};

/* cm: N1, N2, n1, n2. Points of 3 numbers. */
static struct application_part cm_part(const long *k, enum application_side side, int i)
{
    return (struct application_part){ .dims = 1, .size = { 3 * k[i] }, .width = 3 };
}

static const struct application_case cm[] = {
    { "crust mantle and inner core on 10x10x6 processes, c=4", { 834917, 51153, 11797, 3009 } },
    { "crust mantle and inner core on 10x10x6 processes, c=3", { 396849, 22477, 7125, 1729 } },
    { "crust mantle and inner core on 10x10x6 processes, c=2", { 152001, 7209, 3801, 801 } },
    { "crust mantle and inner core on 10x10x6 processes, c=1", { 39929, 1225, 1957, 245 } },
};

/* mt: n. Every second point of 3 numbers; received in one piece into another array. */
static struct application_part mt_part(const long *k, enum application_side side, int i)
{
    const struct application_part points = { .dims = 3,
                                             .size = { 3, 2, k[0] },
                                             .count = { 3, 1, k[0] } };
    const struct application_part piece = { .at = application_next_array(4 * 3 * 2 * k[0]),
                                            .dims = 1,
                                            .size = { 3 * k[0] },
                                            .count = { 3 * k[0] } };
    return side == APPLICATION_SENDS ? points : piece;
}

static const struct application_case mt[] = {
    { "10x10x6 processes, c=1", { 7600 } },
    { "10x10x6 processes, c=2", { 6400 } },
    { "10x10x6 processes, c=3", { 5600 } },
    { "10x10x6 processes, c=4", { 6200 } },
};

/* FFT: N, and the number of processes p. N/p rows of a matrix of complex numbers; all of them are
 * sent, and received into another matrix. */
static struct application_part fft_part(const long *k, enum application_side side, int i)
{
    long rows = k[0] / k[1];
    bool other = side == APPLICATION_RECEIVES;
    return (struct application_part){ .at = other ? application_next_array(16 * k[0] * rows) : 0,
                                      .dims = 2,
                                      .size = { 2 * k[0], rows },
                                      .count = { 2 * k[0], rows } };
}

static const struct application_case fft[] = {
    { "256x256", { 256 } },    { "512x512", { 512 } },    { "768x768", { 768 } },
    { "1024x1024", { 1024 } }, { "1536x1536", { 1536 } },
};

#define CASES(rows)              .cases = rows, .case_count = sizeof(rows) / sizeof(*(rows))
#define OF(name_, bytes_, unit_) .name = name_, .element_bytes = bytes_, .unit = unit_
#define NUMBERS(count_, text_)   .number_count = count_, .numbers = text_
#define LISTS(count, rule)       .lists = count, .list_rule = rule
#define PARTS(function, count)   .part = function, .part_count = count
#define RANGE(least_, most_)     .least = least_, .most = most_, .range = EACH_NUMBER(least_, most_)
#define EACH_NUMBER(least, most) "each number must be at least " #least " and at most " #most

/* clang-format off */
#define WRF(name_, rows, sub, words) \
    { OF(name_, 4, 1), .subarray = sub, .constructor = words, NUMBERS(12, WRF_NUMBERS), \
      RANGE(-10000, 10000), CASES(rows), PARTS(wrf_part, WRF_2D + WRF_3D + WRF_4D), \
      .objection = wrf_objection }
#define LU(name_, words, function) \
    { OF(name_, 8, 5), .constructor = words, NUMBERS(2, "nx,ny"), RANGE(1, LARGEST_BOX), CASES(lu), \
      PARTS(function, 1) }
#define MG(name_, words, dim) \
    { OF(name_, 8, 1), .constructor = words, NUMBERS(3, "nx,ny,nz"), RANGE(3, LARGEST_BOX), CASES(mg), \
      PARTS(mg_part, 1), .first_part = dim }
#define LAMMPS(name_, words, rows, properties) \
    { OF(name_, 8, 1), .constructor = words, NUMBERS(2, "N,n"), RANGE(1, LARGEST_LIST), CASES(rows), \
      PARTS(lammps_part, properties), LISTS(1, "n must be at most N") }

const struct application applications[] = {
    WRF("WRF_x_vec", wrf_x, false, "struct of vectors of vectors, 9 arrays"),
    WRF("WRF_y_vec", wrf_y, false, "struct of vectors of vectors, 9 arrays"),
    WRF("WRF_x_sa", wrf_x, true, "struct of subarrays, 9 arrays"),
    WRF("WRF_y_sa", wrf_y, true, "struct of subarrays, 9 arrays"),
    { OF("MILC_su3_zd", 4, 6),
      .constructor = "vector of vectors of 6 floats", NUMBERS(4, "x,y,z,t"), RANGE(1, LARGEST_LATTICE),
      CASES(milc), PARTS(milc_part, 1), .objection = milc_objection },
    LU("NAS_LU_x", "contiguous", lu_x_part),
    LU("NAS_LU_y", "vector of 5 doubles", lu_y_part),
    MG("NAS_MG_x", "vector of vectors of single doubles", 0),
    MG("NAS_MG_y", "vector of rows, far apart", 1),
    MG("NAS_MG_z", "vector of rows", 2),
    LAMMPS("LAMMPS_full", "struct of 6 indexed blocks", lammps_full, 6),
    LAMMPS("LAMMPS_atomic", "struct of 4 indexed blocks", lammps_atomic, 4),
    { OF("SPECFEM3D_oc", 4, 1),
      .constructor = "indexed blocks of 1 float", NUMBERS(2, "N,n"), RANGE(1, LARGEST_LIST), CASES(oc),
      PARTS(oc_part, 1), LISTS(1, "n must be at most N") },
    { OF("SPECFEM3D_cm", 4, 1),
      .constructor = "struct of 2 indexed blocks of 3 floats", NUMBERS(4, "N1,N2,n1,n2"),
      RANGE(1, LARGEST_LIST), CASES(cm), PARTS(cm_part, 2),
      LISTS(2, "n1 must be at most N1, and n2 at most N2") },
    { OF("SPECFEM3D_mt", 4, 3),
      .constructor = "vector of 3 floats", NUMBERS(1, "n"), RANGE(1, LARGEST_LIST), CASES(mt),
      PARTS(mt_part, 1) },
    { OF("FFT", 8, 2),
      .constructor = "resized vectors of rows and of single elements", .all_processes = true,
      NUMBERS(1, "N"), RANGE(1, LARGEST_BOX), CASES(fft), PARTS(fft_part, 1) },
};
/* clang-format on */

const size_t application_count = sizeof(applications) / sizeof(*applications);

const char *application_objection(const struct application *a, const long *k)
{
    const char *objection = a->objection == NULL ? NULL : a->objection(k);
    for (int i = 0; i < a->lists; i++)
        if (k[a->lists + i] > k[i])
            objection = a->list_rule;
    for (int i = 0; objection == NULL && i < a->number_count; i++)
        if (k[i] < a->least || k[i] > a->most)
            objection = a->range;
    return objection;
}

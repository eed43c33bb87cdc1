/* NAS LU and MG, WRF and MILC: loops over boxes of arrays, which boxes.h has once for both
 * directions. */
#include "loops/declared.h"

enum { LU = 5, SU3 = 6 };

#define AT(number, memory, p) ((ARRAY number *)(ARRAY void *)((memory) + (p)->at))

#define LOOPS(test) loops_##test##_pack
#define SIDE        APPLICATION_SENDS
#define ARRAY       const
#define PACKED
#define MOVE(packed, element) ((packed) = (element))
#include "loops/boxes.h"
#undef LOOPS
#undef SIDE
#undef ARRAY
#undef PACKED
#undef MOVE

#define LOOPS(test) loops_##test##_unpack
#define SIDE        APPLICATION_RECEIVES
#define ARRAY
#define PACKED                const
#define MOVE(packed, element) ((element) = (packed))
#include "loops/boxes.h"

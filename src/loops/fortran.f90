! The loops of loops.h in Fortran, as an application's programmer writes them: on arrays with the
! application's dimensions, and on sections of them. Compiled if the Makefile finds gfortran; the
! program is complete without them (language=fortran).
module skampi_loops
  use, intrinsic :: iso_c_binding
  implicit none
  private

  ! struct application_part and struct application_message of model/applications.h
  type, bind(C) :: part
    integer(c_long_long) :: at
    integer(c_int) :: dims
    integer(c_long) :: size(4), from(4), count(4)
    integer(c_int) :: width
    type(c_ptr) :: list
    integer(c_long) :: runs
  end type part

  type, bind(C) :: message
    type(c_ptr) :: application, k, lists(2)
    type(part) :: sends(9), receives(9)
    integer(c_int) :: send_count, receive_count
  end type message

  integer, parameter :: f = c_float, d = c_double, long = c_long

contains

  ! Where a part's array begins in memory, counted in numbers of that size from 1.
  integer(long) function first(p, bytes)
    type(part), intent(in) :: p
    integer, intent(in) :: bytes
    first = p%at / bytes + 1
  end function first

  function list_of(p) result(list)
    type(part), intent(in) :: p
    integer(c_int), pointer, contiguous :: list(:)
    call c_f_pointer(p%list, list, [p%runs])
  end function list_of

#define MESSAGE_OF(kind) type(message), intent(in) :: m; real(kind), ARRAY :: memory(*); real(kind), PACKED :: buffer(*)
#define AT(i) memory(first(p(i), 8))

#define WAY(name) pack_/**/name
#define WAY_NAME "pack"
#define PARTS sends
#define PART_COUNT send_count
#define ARRAY intent(in)
#define PACKED intent(inout)
#define MOVE(packed, array) packed = array
#define PARTICLES list_of(p(1)), p(1)%runs
#define WHERE(i) list(i) + 1
#define WHERE_DECLARED integer(c_int), intent(in) :: list(n)
#include "both_ways.f90"
#undef WAY
#undef WAY_NAME
#undef PARTS
#undef PART_COUNT
#undef ARRAY
#undef PACKED
#undef MOVE
#undef PARTICLES
#undef WHERE
#undef WHERE_DECLARED

#define WAY(name) unpack_/**/name
#define WAY_NAME "unpack"
#define PARTS receives
#define PART_COUNT receive_count
#define ARRAY intent(inout)
#define PACKED intent(in)
#define MOVE(packed, array) array = packed
#define PARTICLES p(2)%from(1), p(2)%count(1)
#define WHERE(i) list + i
#define WHERE_DECLARED integer(long), intent(in) :: list
#include "both_ways.f90"

  ! ---- SPECFEM3D: every second point ----

  subroutine pack_every_second(a, n, buffer)
    integer(long), intent(in) :: n
    real(f), intent(in) :: a(3, 2, n)
    real(f), intent(inout) :: buffer(3, n)
    buffer = a(:, 1, :)
  end subroutine pack_every_second

  subroutine mt_pack(m, memory, buffer) bind(C, name="fortran_specfem_mt_pack")
    type(message), intent(in) :: m
    real(f), intent(in) :: memory(*)
    real(f), intent(inout) :: buffer(*)
    call pack_every_second(memory, m%sends(1)%size(3), buffer)
  end subroutine mt_pack

  subroutine mt_unpack(m, memory, buffer) bind(C, name="fortran_specfem_mt_unpack")
    type(message), intent(in) :: m
    real(f), intent(inout) :: memory(*)
    real(f), intent(in) :: buffer(*)
    integer(long) :: at, n
    at = first(m%receives(1), 4)
    n = m%receives(1)%size(1)
    memory(at:at+n-1) = buffer(1:n)
  end subroutine mt_unpack

  ! ---- FFT: the process's rows of an n x n matrix, which are columns of Fortran's arrays ----

  subroutine fft_pack(matrix, buffer, n, rows) bind(C, name="fortran_fft_pack")
    integer(long), value :: n, rows
    complex(d), intent(in) :: matrix(n, rows)
    complex(d), intent(inout) :: buffer(rows, rows, n / rows)
    integer(long) :: block
    do block = 1, n / rows
      buffer(:, :, block) = matrix((block-1)*rows+1:block*rows, :)
    end do
  end subroutine fft_pack

  subroutine fft_unpack(matrix, buffer, n, rows) bind(C, name="fortran_fft_unpack")
    integer(long), value :: n, rows
    complex(d), intent(inout) :: matrix(n, rows)
    complex(d), intent(in) :: buffer(rows, n)
    integer(long) :: i
    do i = 1, n
      matrix(i, :) = buffer(:, i)
    end do
  end subroutine fft_unpack
end module skampi_loops

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

#define WAY(name) pack_/**/name
#define WAY_NAME "pack"
#define PARTS sends
#define PART_COUNT send_count
#define ARRAY intent(in)
#define PACKED intent(inout)
#define MOVE(packed, array) packed = array
#include "both_ways.f90"
#undef WAY
#undef WAY_NAME
#undef PARTS
#undef PART_COUNT
#undef ARRAY
#undef PACKED
#undef MOVE

#define WAY(name) unpack_/**/name
#define WAY_NAME "unpack"
#define PARTS receives
#define PART_COUNT receive_count
#define ARRAY intent(inout)
#define PACKED intent(in)
#define MOVE(packed, array) array = packed
#include "both_ways.f90"

  ! ---- LAMMPS: listed particles, with the properties of each; received after the last one ----

  subroutine pack_full(x, tag, type, mask, charge, molecule, list, n, buffer)
    integer(long), intent(in) :: n
    real(d), intent(in) :: x(3, *), tag(*), type(*), mask(*), charge(*), molecule(*)
    integer(c_int), intent(in) :: list(n)
    real(d), intent(inout) :: buffer(8, n)
    integer(long) :: i, j
    do i = 1, n
      j = list(i) + 1
      buffer(1:3, i) = x(1:3, j)
      buffer(4, i) = tag(j)
      buffer(5, i) = type(j)
      buffer(6, i) = mask(j)
      buffer(7, i) = charge(j)
      buffer(8, i) = molecule(j)
    end do
  end subroutine pack_full

  subroutine unpack_full(x, tag, type, mask, charge, molecule, last, n, buffer)
    integer(long), intent(in) :: last, n
    real(d), intent(inout) :: x(3, *), tag(*), type(*), mask(*), charge(*), molecule(*)
    real(d), intent(in) :: buffer(8, n)
    integer(long) :: i
    do i = 1, n
      x(1:3, last + i) = buffer(1:3, i)
      tag(last + i) = buffer(4, i)
      type(last + i) = buffer(5, i)
      mask(last + i) = buffer(6, i)
      charge(last + i) = buffer(7, i)
      molecule(last + i) = buffer(8, i)
    end do
  end subroutine unpack_full

  subroutine lammps_full_pack(m, memory, buffer) bind(C, name="fortran_lammps_full_pack")
    type(message), intent(in) :: m
    real(d), intent(in) :: memory(*)
    real(d), intent(inout) :: buffer(*)
    associate (p => m%sends)
      call pack_full(memory(first(p(1), 8)), &
        memory(first(p(2), 8)), &
        memory(first(p(3), 8)), &
        memory(first(p(4), 8)), &
        memory(first(p(5), 8)), &
        memory(first(p(6), 8)), &
        list_of(p(1)), p(1)%runs, buffer)
    end associate
  end subroutine lammps_full_pack

  subroutine lammps_full_unpack(m, memory, buffer) bind(C, name="fortran_lammps_full_unpack")
    type(message), intent(in) :: m
    real(d), intent(inout) :: memory(*)
    real(d), intent(in) :: buffer(*)
    associate (p => m%receives)
      call unpack_full(memory(first(p(1), 8)), &
        memory(first(p(2), 8)), &
        memory(first(p(3), 8)), &
        memory(first(p(4), 8)), &
        memory(first(p(5), 8)), &
        memory(first(p(6), 8)), &
        p(2)%from(1), p(2)%count(1), buffer)
    end associate
  end subroutine lammps_full_unpack

  subroutine pack_atomic(x, tag, type, mask, list, n, buffer)
    integer(long), intent(in) :: n
    real(d), intent(in) :: x(3, *), tag(*), type(*), mask(*)
    integer(c_int), intent(in) :: list(n)
    real(d), intent(inout) :: buffer(6, n)
    integer(long) :: i, j
    do i = 1, n
      j = list(i) + 1
      buffer(1:3, i) = x(1:3, j)
      buffer(4, i) = tag(j)
      buffer(5, i) = type(j)
      buffer(6, i) = mask(j)
    end do
  end subroutine pack_atomic

  subroutine unpack_atomic(x, tag, type, mask, last, n, buffer)
    integer(long), intent(in) :: last, n
    real(d), intent(inout) :: x(3, *), tag(*), type(*), mask(*)
    real(d), intent(in) :: buffer(6, n)
    integer(long) :: i
    do i = 1, n
      x(1:3, last + i) = buffer(1:3, i)
      tag(last + i) = buffer(4, i)
      type(last + i) = buffer(5, i)
      mask(last + i) = buffer(6, i)
    end do
  end subroutine unpack_atomic

  subroutine lammps_atomic_pack(m, memory, buffer) bind(C, name="fortran_lammps_atomic_pack")
    type(message), intent(in) :: m
    real(d), intent(in) :: memory(*)
    real(d), intent(inout) :: buffer(*)
    associate (p => m%sends)
      call pack_atomic(memory(first(p(1), 8)), &
        memory(first(p(2), 8)), &
        memory(first(p(3), 8)), &
        memory(first(p(4), 8)), &
        list_of(p(1)), p(1)%runs, buffer)
    end associate
  end subroutine lammps_atomic_pack

  subroutine lammps_atomic_unpack(m, memory, buffer) bind(C, name="fortran_lammps_atomic_unpack")
    type(message), intent(in) :: m
    real(d), intent(inout) :: memory(*)
    real(d), intent(in) :: buffer(*)
    associate (p => m%receives)
      call unpack_atomic(memory(first(p(1), 8)), &
        memory(first(p(2), 8)), &
        memory(first(p(3), 8)), &
        memory(first(p(4), 8)), &
        p(2)%from(1), p(2)%count(1), buffer)
    end associate
  end subroutine lammps_atomic_unpack

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

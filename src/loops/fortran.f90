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

  ! ---- WRF: a box of arrays (i,j), (i,k,j) and (i,k,j,species) ----

  subroutine pack_ij(a, p, buffer, n)
    type(part), intent(in) :: p
    real(f), intent(in) :: a(0:p%size(1)-1, 0:p%size(2)-1)
    real(f), intent(inout) :: buffer(*)
    integer(long), intent(inout) :: n
    integer(long) :: i, j
    do j = p%from(2), p%from(2) + p%count(2) - 1
      do i = p%from(1), p%from(1) + p%count(1) - 1
        n = n + 1
        buffer(n) = a(i, j)
      end do
    end do
  end subroutine pack_ij

  subroutine unpack_ij(a, p, buffer, n)
    type(part), intent(in) :: p
    real(f), intent(inout) :: a(0:p%size(1)-1, 0:p%size(2)-1)
    real(f), intent(in) :: buffer(*)
    integer(long), intent(inout) :: n
    integer(long) :: i, j
    do j = p%from(2), p%from(2) + p%count(2) - 1
      do i = p%from(1), p%from(1) + p%count(1) - 1
        n = n + 1
        a(i, j) = buffer(n)
      end do
    end do
  end subroutine unpack_ij

  subroutine pack_ikj(a, p, buffer, n)
    type(part), intent(in) :: p
    real(f), intent(in) :: a(0:p%size(1)-1, 0:p%size(2)-1, 0:p%size(3)-1)
    real(f), intent(inout) :: buffer(*)
    integer(long), intent(inout) :: n
    integer(long) :: i, k, j
    do j = p%from(3), p%from(3) + p%count(3) - 1
      do k = p%from(2), p%from(2) + p%count(2) - 1
        do i = p%from(1), p%from(1) + p%count(1) - 1
          n = n + 1
          buffer(n) = a(i, k, j)
        end do
      end do
    end do
  end subroutine pack_ikj

  subroutine unpack_ikj(a, p, buffer, n)
    type(part), intent(in) :: p
    real(f), intent(inout) :: a(0:p%size(1)-1, 0:p%size(2)-1, 0:p%size(3)-1)
    real(f), intent(in) :: buffer(*)
    integer(long), intent(inout) :: n
    integer(long) :: i, k, j
    do j = p%from(3), p%from(3) + p%count(3) - 1
      do k = p%from(2), p%from(2) + p%count(2) - 1
        do i = p%from(1), p%from(1) + p%count(1) - 1
          n = n + 1
          a(i, k, j) = buffer(n)
        end do
      end do
    end do
  end subroutine unpack_ikj

  subroutine wrf_pack(m, memory, buffer) bind(C, name="fortran_wrf_pack")
    type(message), intent(in) :: m
    real(f), intent(in) :: memory(*)
    real(f), intent(inout) :: buffer(*)
    integer(long) :: n, at, s
    integer :: i
    n = 0
    do i = 1, m%send_count
      associate (p => m%sends(i))
        at = first(p, 4)
        select case (p%dims)
        case (2)
          call pack_ij(memory(at), p, buffer, n)
        case (3)
          call pack_ikj(memory(at), p, buffer, n)
        case (4)
          do s = p%from(4), p%from(4) + p%count(4) - 1
            call pack_ikj(memory(at + s * product(p%size(1:3))), p, buffer, n)
          end do
        end select
      end associate
    end do
  end subroutine wrf_pack

  subroutine wrf_unpack(m, memory, buffer) bind(C, name="fortran_wrf_unpack")
    type(message), intent(in) :: m
    real(f), intent(inout) :: memory(*)
    real(f), intent(in) :: buffer(*)
    integer(long) :: n, at, s
    integer :: i
    n = 0
    do i = 1, m%receive_count
      associate (p => m%receives(i))
        at = first(p, 4)
        select case (p%dims)
        case (2)
          call unpack_ij(memory(at), p, buffer, n)
        case (3)
          call unpack_ikj(memory(at), p, buffer, n)
        case (4)
          do s = p%from(4), p%from(4) + p%count(4) - 1
            call unpack_ikj(memory(at + s * product(p%size(1:3))), p, buffer, n)
          end do
        end select
      end associate
    end do
  end subroutine wrf_unpack

  ! ---- MILC: vectors of 6 floats at (site, z, t, parity), of which z = 1 ----

  subroutine pack_plane(a, sites, nz, nt, buffer)
    integer(long), intent(in) :: sites, nz, nt
    real(f), intent(in) :: a(6, sites, nz, nt, 2)
    real(f), intent(inout) :: buffer(6, sites, nt, 2)
    buffer = a(:, :, 1, :, :)
  end subroutine pack_plane

  subroutine unpack_plane(a, sites, nz, nt, buffer)
    integer(long), intent(in) :: sites, nz, nt
    real(f), intent(inout) :: a(6, sites, nz, nt, 2)
    real(f), intent(in) :: buffer(6, sites, nt, 2)
    a(:, :, 1, :, :) = buffer
  end subroutine unpack_plane

  subroutine milc_pack(m, memory, buffer) bind(C, name="fortran_milc_pack")
    type(message), intent(in) :: m
    real(f), intent(in) :: memory(*)
    real(f), intent(inout) :: buffer(*)
    associate (p => m%sends(1))
      call pack_plane(memory(first(p, 4)), p%size(1) / 6, p%size(2), p%size(3), buffer)
    end associate
  end subroutine milc_pack

  subroutine milc_unpack(m, memory, buffer) bind(C, name="fortran_milc_unpack")
    type(message), intent(in) :: m
    real(f), intent(inout) :: memory(*)
    real(f), intent(in) :: buffer(*)
    associate (p => m%receives(1))
      call unpack_plane(memory(first(p, 4)), p%size(1) / 6, p%size(2), p%size(3), buffer)
    end associate
  end subroutine milc_unpack

  ! ---- NAS LU: u(5, 0:nx+1, 0:ny+1); a row or a column of points ----

  subroutine lu_x_pack(m, memory, buffer) bind(C, name="fortran_lu_x_pack")
    type(message), intent(in) :: m
    real(d), intent(in) :: memory(*)
    real(d), intent(inout) :: buffer(*)
    integer(long) :: row, nx
    associate (p => m%sends(1))
      row = first(p, 8) + p%from(2) * p%size(1) + p%from(1)
      nx = p%count(1) / 5
      buffer(1:5*nx) = memory(row:row+5*nx-1)
    end associate
  end subroutine lu_x_pack

  subroutine lu_x_unpack(m, memory, buffer) bind(C, name="fortran_lu_x_unpack")
    type(message), intent(in) :: m
    real(d), intent(inout) :: memory(*)
    real(d), intent(in) :: buffer(*)
    integer(long) :: row, nx
    associate (p => m%receives(1))
      row = first(p, 8) + p%from(2) * p%size(1) + p%from(1)
      nx = p%count(1) / 5
      memory(row:row+5*nx-1) = buffer(1:5*nx)
    end associate
  end subroutine lu_x_unpack

  subroutine pack_column(u, p, buffer)
    type(part), intent(in) :: p
    real(d), intent(in) :: u(5, 0:p%size(2)-1, 0:p%size(3)-1)
    real(d), intent(inout) :: buffer(5, p%count(3))
    integer(long) :: j
    do j = 1, p%count(3)
      buffer(1:5, j) = u(1:5, p%from(2), p%from(3) + j - 1)
    end do
  end subroutine pack_column

  subroutine unpack_column(u, p, buffer)
    type(part), intent(in) :: p
    real(d), intent(inout) :: u(5, 0:p%size(2)-1, 0:p%size(3)-1)
    real(d), intent(in) :: buffer(5, p%count(3))
    integer(long) :: j
    do j = 1, p%count(3)
      u(1:5, p%from(2), p%from(3) + j - 1) = buffer(1:5, j)
    end do
  end subroutine unpack_column

  subroutine lu_y_pack(m, memory, buffer) bind(C, name="fortran_lu_y_pack")
    type(message), intent(in) :: m
    real(d), intent(in) :: memory(*)
    real(d), intent(inout) :: buffer(*)
    call pack_column(memory(first(m%sends(1), 8)), m%sends(1), buffer)
  end subroutine lu_y_pack

  subroutine lu_y_unpack(m, memory, buffer) bind(C, name="fortran_lu_y_unpack")
    type(message), intent(in) :: m
    real(d), intent(inout) :: memory(*)
    real(d), intent(in) :: buffer(*)
    call unpack_column(memory(first(m%receives(1), 8)), m%receives(1), buffer)
  end subroutine lu_y_unpack

  ! ---- NAS MG: u(n1, n2, n3); a face without its border, as the application's give and take ----

  subroutine give(axis, u, p, buffer)
    integer, intent(in) :: axis
    type(part), intent(in) :: p
    real(d), intent(in) :: u(p%size(1), p%size(2), p%size(3))
    real(d), intent(inout) :: buffer(*)
    integer(long) :: i1, i2, i3, n
    n = 0
    if (axis == 1) then
      do i3 = 2, p%size(3) - 1
        do i2 = 2, p%size(2) - 1
          n = n + 1
          buffer(n) = u(p%from(1) + 1, i2, i3)
        end do
      end do
    else if (axis == 2) then
      do i3 = 2, p%size(3) - 1
        do i1 = 2, p%size(1) - 1
          n = n + 1
          buffer(n) = u(i1, p%from(2) + 1, i3)
        end do
      end do
    else
      do i2 = 2, p%size(2) - 1
        do i1 = 2, p%size(1) - 1
          n = n + 1
          buffer(n) = u(i1, i2, p%from(3) + 1)
        end do
      end do
    end if
  end subroutine give

  subroutine take(axis, u, p, buffer)
    integer, intent(in) :: axis
    type(part), intent(in) :: p
    real(d), intent(inout) :: u(p%size(1), p%size(2), p%size(3))
    real(d), intent(in) :: buffer(*)
    integer(long) :: i1, i2, i3, n
    n = 0
    if (axis == 1) then
      do i3 = 2, p%size(3) - 1
        do i2 = 2, p%size(2) - 1
          n = n + 1
          u(p%from(1) + 1, i2, i3) = buffer(n)
        end do
      end do
    else if (axis == 2) then
      do i3 = 2, p%size(3) - 1
        do i1 = 2, p%size(1) - 1
          n = n + 1
          u(i1, p%from(2) + 1, i3) = buffer(n)
        end do
      end do
    else
      do i2 = 2, p%size(2) - 1
        do i1 = 2, p%size(1) - 1
          n = n + 1
          u(i1, i2, p%from(3) + 1) = buffer(n)
        end do
      end do
    end if
  end subroutine take

  subroutine mg_x_pack(m, memory, buffer) bind(C, name="fortran_mg_x_pack")
    type(message), intent(in) :: m
    real(d), intent(in) :: memory(*)
    real(d), intent(inout) :: buffer(*)
    call give(1, memory(first(m%sends(1), 8)), m%sends(1), buffer)
  end subroutine mg_x_pack

  subroutine mg_x_unpack(m, memory, buffer) bind(C, name="fortran_mg_x_unpack")
    type(message), intent(in) :: m
    real(d), intent(inout) :: memory(*)
    real(d), intent(in) :: buffer(*)
    call take(1, memory(first(m%receives(1), 8)), m%receives(1), buffer)
  end subroutine mg_x_unpack

  subroutine mg_y_pack(m, memory, buffer) bind(C, name="fortran_mg_y_pack")
    type(message), intent(in) :: m
    real(d), intent(in) :: memory(*)
    real(d), intent(inout) :: buffer(*)
    call give(2, memory(first(m%sends(1), 8)), m%sends(1), buffer)
  end subroutine mg_y_pack

  subroutine mg_y_unpack(m, memory, buffer) bind(C, name="fortran_mg_y_unpack")
    type(message), intent(in) :: m
    real(d), intent(inout) :: memory(*)
    real(d), intent(in) :: buffer(*)
    call take(2, memory(first(m%receives(1), 8)), m%receives(1), buffer)
  end subroutine mg_y_unpack

  subroutine mg_z_pack(m, memory, buffer) bind(C, name="fortran_mg_z_pack")
    type(message), intent(in) :: m
    real(d), intent(in) :: memory(*)
    real(d), intent(inout) :: buffer(*)
    call give(3, memory(first(m%sends(1), 8)), m%sends(1), buffer)
  end subroutine mg_z_pack

  subroutine mg_z_unpack(m, memory, buffer) bind(C, name="fortran_mg_z_unpack")
    type(message), intent(in) :: m
    real(d), intent(inout) :: memory(*)
    real(d), intent(in) :: buffer(*)
    call take(3, memory(first(m%receives(1), 8)), m%receives(1), buffer)
  end subroutine mg_z_unpack

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

  ! ---- SPECFEM3D: listed points of 1 or 3 numbers, or every second one ----

  subroutine oc_pack(m, memory, buffer) bind(C, name="fortran_specfem_oc_pack")
    type(message), intent(in) :: m
    real(f), intent(in) :: memory(*)
    real(f), intent(inout) :: buffer(*)
    integer(c_int), pointer, contiguous :: list(:)
    integer(long) :: i
    list => list_of(m%sends(1))
    do i = 1, size(list)
      buffer(i) = memory(list(i) + 1)
    end do
  end subroutine oc_pack

  subroutine oc_unpack(m, memory, buffer) bind(C, name="fortran_specfem_oc_unpack")
    type(message), intent(in) :: m
    real(f), intent(inout) :: memory(*)
    real(f), intent(in) :: buffer(*)
    integer(c_int), pointer, contiguous :: list(:)
    integer(long) :: i
    list => list_of(m%receives(1))
    do i = 1, size(list)
      memory(list(i) + 1) = buffer(i)
    end do
  end subroutine oc_unpack

  subroutine pack_points(a, list, n, buffer)
    integer(long), intent(in) :: n
    real(f), intent(in) :: a(3, *)
    integer(c_int), intent(in) :: list(n)
    real(f), intent(inout) :: buffer(3, n)
    integer(long) :: i
    do i = 1, n
      buffer(1:3, i) = a(1:3, list(i) + 1)
    end do
  end subroutine pack_points

  subroutine unpack_points(a, list, n, buffer)
    integer(long), intent(in) :: n
    real(f), intent(inout) :: a(3, *)
    integer(c_int), intent(in) :: list(n)
    real(f), intent(in) :: buffer(3, n)
    integer(long) :: i
    do i = 1, n
      a(1:3, list(i) + 1) = buffer(1:3, i)
    end do
  end subroutine unpack_points

  ! Crust and mantle, then the inner core.
  subroutine cm_pack(m, memory, buffer) bind(C, name="fortran_specfem_cm_pack")
    type(message), intent(in) :: m
    real(f), intent(in) :: memory(*)
    real(f), intent(inout) :: buffer(*)
    associate (p => m%sends)
      call pack_points(memory(first(p(1), 4)), list_of(p(1)), p(1)%runs, buffer)
      call pack_points(memory(first(p(2), 4)), list_of(p(2)), p(2)%runs, buffer(3*p(1)%runs + 1))
    end associate
  end subroutine cm_pack

  subroutine cm_unpack(m, memory, buffer) bind(C, name="fortran_specfem_cm_unpack")
    type(message), intent(in) :: m
    real(f), intent(inout) :: memory(*)
    real(f), intent(in) :: buffer(*)
    associate (p => m%receives)
      call unpack_points(memory(first(p(1), 4)), list_of(p(1)), p(1)%runs, buffer)
      call unpack_points(memory(first(p(2), 4)), list_of(p(2)), p(2)%runs, buffer(3*p(1)%runs + 1))
    end associate
  end subroutine cm_unpack

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

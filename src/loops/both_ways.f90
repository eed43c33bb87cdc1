! Included once for each direction: WAY(x) is pack_x or unpack_x and WAY_NAME the word, PARTS are those that are sent or
! received, MOVE packs or unpacks numbers; ARRAY is what happens to the application's arrays, PACKED to the buffer.
! PARTICLES and WHERE: the listed ones, or those after the last one, of which list is the number. MESSAGE_OF declares the
! arguments of what C calls, with that kind of numbers; AT is the place of a part's array.

  ! ---- WRF: a box of arrays (i,j), (i,k,j) and (i,k,j,species) ----

  subroutine WAY(ij)(a, p, buffer, n)
    type(part), intent(in) :: p
    real(f), ARRAY :: a(0:p%size(1)-1, 0:p%size(2)-1)
    real(f), PACKED :: buffer(*)
    integer(long), intent(inout) :: n
    integer(long) :: i, j
    do j = p%from(2), p%from(2) + p%count(2) - 1
      do i = p%from(1), p%from(1) + p%count(1) - 1
        n = n + 1
        MOVE(buffer(n), a(i, j))
      end do
    end do
  end subroutine WAY(ij)

  subroutine WAY(ikj)(a, p, buffer, n)
    type(part), intent(in) :: p
    real(f), ARRAY :: a(0:p%size(1)-1, 0:p%size(2)-1, 0:p%size(3)-1)
    real(f), PACKED :: buffer(*)
    integer(long), intent(inout) :: n
    integer(long) :: i, k, j
    do j = p%from(3), p%from(3) + p%count(3) - 1
      do k = p%from(2), p%from(2) + p%count(2) - 1
        do i = p%from(1), p%from(1) + p%count(1) - 1
          n = n + 1
          MOVE(buffer(n), a(i, k, j))
        end do
      end do
    end do
  end subroutine WAY(ikj)

  subroutine WAY(wrf)(m, memory, buffer) bind(C, name="fortran_wrf_" // WAY_NAME)
    MESSAGE_OF(f)
    integer(long) :: n, at, s
    integer :: i
    n = 0
    do i = 1, m%PART_COUNT
      associate (p => m%PARTS(i))
        at = first(p, 4)
        select case (p%dims)
        case (2)
          call WAY(ij)(memory(at), p, buffer, n)
        case (3)
          call WAY(ikj)(memory(at), p, buffer, n)
        case (4)
          do s = p%from(4), p%from(4) + p%count(4) - 1
            call WAY(ikj)(memory(at + s * product(p%size(1:3))), p, buffer, n)
          end do
        end select
      end associate
    end do
  end subroutine WAY(wrf)

  ! ---- MILC: vectors of 6 floats at (site, z, t, parity), of which z = 1 ----

  subroutine WAY(plane)(a, sites, nz, nt, buffer)
    integer(long), intent(in) :: sites, nz, nt
    real(f), ARRAY :: a(6, sites, nz, nt, 2)
    real(f), PACKED :: buffer(6, sites, nt, 2)
    MOVE(buffer, a(:, :, 1, :, :))
  end subroutine WAY(plane)

  subroutine WAY(milc)(m, memory, buffer) bind(C, name="fortran_milc_" // WAY_NAME)
    MESSAGE_OF(f)
    associate (p => m%PARTS(1))
      call WAY(plane)(memory(first(p, 4)), p%size(1) / 6, p%size(2), p%size(3), buffer)
    end associate
  end subroutine WAY(milc)

  ! ---- NAS LU: u(5, 0:nx+1, 0:ny+1); a row or a column of points ----

  subroutine WAY(lu_x)(m, memory, buffer) bind(C, name="fortran_lu_x_" // WAY_NAME)
    MESSAGE_OF(d)
    integer(long) :: row, nx
    associate (p => m%PARTS(1))
      row = first(p, 8) + p%from(2) * p%size(1) + p%from(1)
      nx = p%count(1) / 5
      MOVE(buffer(1:5*nx), memory(row:row+5*nx-1))
    end associate
  end subroutine WAY(lu_x)

  subroutine WAY(column)(u, p, buffer)
    type(part), intent(in) :: p
    real(d), ARRAY :: u(5, 0:p%size(2)-1, 0:p%size(3)-1)
    real(d), PACKED :: buffer(5, p%count(3))
    integer(long) :: j
    do j = 1, p%count(3)
      MOVE(buffer(1:5, j), u(1:5, p%from(2), p%from(3) + j - 1))
    end do
  end subroutine WAY(column)

  subroutine WAY(lu_y)(m, memory, buffer) bind(C, name="fortran_lu_y_" // WAY_NAME)
    MESSAGE_OF(d)
    call WAY(column)(memory(first(m%PARTS(1), 8)), m%PARTS(1), buffer)
  end subroutine WAY(lu_y)

  ! ---- NAS MG: u(n1, n2, n3); a face without its border, as NAS MG gives and takes it ----

  subroutine WAY(face)(axis, u, p, buffer)
    integer, intent(in) :: axis
    type(part), intent(in) :: p
    real(d), ARRAY :: u(p%size(1), p%size(2), p%size(3))
    real(d), PACKED :: buffer(*)
    integer(long) :: i1, i2, i3, n
    n = 0
    if (axis == 1) then
      do i3 = 2, p%size(3) - 1
        do i2 = 2, p%size(2) - 1
          n = n + 1
          MOVE(buffer(n), u(p%from(1) + 1, i2, i3))
        end do
      end do
    else if (axis == 2) then
      do i3 = 2, p%size(3) - 1
        do i1 = 2, p%size(1) - 1
          n = n + 1
          MOVE(buffer(n), u(i1, p%from(2) + 1, i3))
        end do
      end do
    else
      do i2 = 2, p%size(2) - 1
        do i1 = 2, p%size(1) - 1
          n = n + 1
          MOVE(buffer(n), u(i1, i2, p%from(3) + 1))
        end do
      end do
    end if
  end subroutine WAY(face)

  subroutine WAY(mg_x)(m, memory, buffer) bind(C, name="fortran_mg_x_" // WAY_NAME)
    MESSAGE_OF(d)
    call WAY(face)(1, memory(first(m%PARTS(1), 8)), m%PARTS(1), buffer)
  end subroutine WAY(mg_x)

  subroutine WAY(mg_y)(m, memory, buffer) bind(C, name="fortran_mg_y_" // WAY_NAME)
    MESSAGE_OF(d)
    call WAY(face)(2, memory(first(m%PARTS(1), 8)), m%PARTS(1), buffer)
  end subroutine WAY(mg_y)

  subroutine WAY(mg_z)(m, memory, buffer) bind(C, name="fortran_mg_z_" // WAY_NAME)
    MESSAGE_OF(d)
    call WAY(face)(3, memory(first(m%PARTS(1), 8)), m%PARTS(1), buffer)
  end subroutine WAY(mg_z)

  ! ---- SPECFEM3D: listed points of 1 or 3 numbers; crust and mantle, then the inner core ----

  subroutine WAY(oc)(m, memory, buffer) bind(C, name="fortran_specfem_oc_" // WAY_NAME)
    MESSAGE_OF(f)
    integer(c_int), pointer, contiguous :: list(:)
    integer(long) :: i
    list => list_of(m%PARTS(1))
    do i = 1, size(list)
      MOVE(buffer(i), memory(list(i) + 1))
    end do
  end subroutine WAY(oc)

  subroutine WAY(points)(a, list, n, buffer)
    integer(long), intent(in) :: n
    real(f), ARRAY :: a(3, *)
    integer(c_int), intent(in) :: list(n)
    real(f), PACKED :: buffer(3, n)
    integer(long) :: i
    do i = 1, n
      MOVE(buffer(1:3, i), a(1:3, list(i) + 1))
    end do
  end subroutine WAY(points)

  subroutine WAY(cm)(m, memory, buffer) bind(C, name="fortran_specfem_cm_" // WAY_NAME)
    MESSAGE_OF(f)
    associate (p => m%PARTS)
      call WAY(points)(memory(first(p(1), 4)), list_of(p(1)), p(1)%runs, buffer)
      call WAY(points)(memory(first(p(2), 4)), list_of(p(2)), p(2)%runs, buffer(3*p(1)%runs + 1))
    end associate
  end subroutine WAY(cm)

  ! ---- LAMMPS: listed particles, with the properties of each; received after the last one ----

  subroutine WAY(full)(x, tag, type, mask, charge, molecule, list, n, buffer)
    integer(long), intent(in) :: n
    real(d), ARRAY :: x(3, *), tag(*), type(*), mask(*), charge(*), molecule(*)
    WHERE_DECLARED
    real(d), PACKED :: buffer(8, n)
    integer(long) :: i, j
    do i = 1, n
      j = WHERE(i)
      MOVE(buffer(1:3, i), x(1:3, j))
      MOVE(buffer(4, i), tag(j))
      MOVE(buffer(5, i), type(j))
      MOVE(buffer(6, i), mask(j))
      MOVE(buffer(7, i), charge(j))
      MOVE(buffer(8, i), molecule(j))
    end do
  end subroutine WAY(full)

  subroutine WAY(lammps_full)(m, memory, buffer) bind(C, name="fortran_lammps_full_" // WAY_NAME)
    MESSAGE_OF(d)
    associate (p => m%PARTS)
      call WAY(full)(AT(1), AT(2), AT(3), &
        AT(4), AT(5), AT(6), PARTICLES, buffer)
    end associate
  end subroutine WAY(lammps_full)

  subroutine WAY(atomic)(x, tag, type, mask, list, n, buffer)
    integer(long), intent(in) :: n
    real(d), ARRAY :: x(3, *), tag(*), type(*), mask(*)
    WHERE_DECLARED
    real(d), PACKED :: buffer(6, n)
    integer(long) :: i, j
    do i = 1, n
      j = WHERE(i)
      MOVE(buffer(1:3, i), x(1:3, j))
      MOVE(buffer(4, i), tag(j))
      MOVE(buffer(5, i), type(j))
      MOVE(buffer(6, i), mask(j))
    end do
  end subroutine WAY(atomic)

  subroutine WAY(lammps_atomic)(m, memory, buffer) bind(C, name="fortran_lammps_atomic_" // WAY_NAME)
    MESSAGE_OF(d)
    associate (p => m%PARTS)
      call WAY(atomic)(AT(1), AT(2), AT(3), AT(4), &
        PARTICLES, buffer)
    end associate
  end subroutine WAY(lammps_atomic)

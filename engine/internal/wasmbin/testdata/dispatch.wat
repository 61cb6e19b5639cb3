;; Functions in the shape of Go's compiler: a loop around a jump table.
(module
  (func $note (param i32))
  ;; Blocks: 0 start, 1 body, 2 condition, 3 end. Sums 0..n-1.
  (func (export "sum") (param $n i32) (result i32) (local $pc i32) (local $i i32) (local $s i32)
    (loop $l
      (block $3 (block $2 (block $1 (block $0
        (local.get $pc)
        (br_table $0 $1 $2 $3))
        (local.set $pc (i32.const 2))
        (br $l))
        (local.set $s (i32.add (local.get $s) (local.get $i)))
        (local.set $i (i32.add (local.get $i) (i32.const 1))))
        (if (i32.lt_u (local.get $i) (local.get $n))
          (then (local.set $pc (i32.const 1)) (br $l))))
      (return (local.get $s)))
    (unreachable))
  ;; The same with a call in the body.
  (func (export "sumcall") (param $n i32) (result i32) (local $pc i32) (local $i i32) (local $s i32)
    (loop $l
      (block $3 (block $2 (block $1 (block $0
        (local.get $pc)
        (br_table $0 $1 $2 $3))
        (local.set $pc (i32.const 2))
        (br $l))
        (local.set $s (i32.add (local.get $s) (local.get $i)))
        (call $note (local.get $s))
        (local.set $i (i32.add (local.get $i) (i32.const 1))))
        (if (i32.lt_u (local.get $i) (local.get $n))
          (then (local.set $pc (i32.const 1)) (br $l))))
      (return (local.get $s)))
    (unreachable))
  ;; Never ends: block 1 goes to itself by a number beyond the table's end.
  (func (export "spin") (local $pc i32)
    (loop $l
      (block $1 (block $0
        (local.get $pc)
        (br_table $0 $1))
        (local.set $pc (i32.const 1))
        (br $l))
      (local.set $pc (i32.const 77))
      (br $l)))
  ;; Never ends: the number is not a constant.
  (func (export "spinvar") (param $x i32) (local $pc i32)
    (loop $l
      (block $1 (block $0
        (local.get $pc)
        (br_table $0 $1))
        (local.set $pc (i32.const 1))
        (br $l))
      (local.set $pc (local.get $x))
      (br $l)))
  ;; Never ends: the local set is not the one of the table.
  (func (export "spinother") (local $pc i32) (local $q i32)
    (loop $l
      (block $1 (block $0
        (local.get $pc)
        (br_table $0 $1))
        (local.set $q (i32.const 1))
        (br $l))))
  ;; Never ends: the branch back is conditional.
  (func (export "spinif") (local $pc i32)
    (loop $l
      (block $1 (block $0
        (local.get $pc)
        (br_table $0 $1))
        (local.set $pc (i32.const 0))
        (br_if $l (i32.const 1)))))
  ;; Never ends: the jump table itself goes back to the loop.
  (func (export "spintable") (local $pc i32)
    (loop $l
      (block $1 (block $0
        (local.get $pc)
        (br_table $l $0 $1)))))
  ;; Never ends: a second jump table goes back to the loop.
  (func (export "spintable2") (local $pc i32)
    (loop $l
      (block $1 (block $0
        (local.get $pc)
        (br_table $0 $1))
        (br_table $l $1 (i32.const 0)))))
  ;; Never ends: a block opened later has the place of one that is passed.
  (func (export "spinreuse") (local $pc i32)
    (loop $l
      (block $1
        (block $0
          (local.get $pc)
          (br_table $0 $1))
        (block $new
          (local.set $pc (i32.const 0))
          (br $l)))))
)

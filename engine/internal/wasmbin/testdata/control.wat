;; Labels that cross loops with two labels, block parameters, values on branches.
(module
  (type $ii (func (param i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "sum") (param $n i32) (result i32) (local $i i32) (local $s i32)
    (loop $l
      (local.set $s (i32.add (local.get $s) (local.get $i)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $l (i32.lt_u (local.get $i) (local.get $n))))
    (local.get $s))
  ;; Leaves two nested loops from the inner one, past a block.
  (func (export "nested") (param $n i32) (result i32) (local $i i32) (local $j i32) (local $s i32)
    (block $out
      (loop $a
        (local.set $j (i32.const 0))
        (block $mid
          (loop $b
            (local.set $s (i32.add (local.get $s) (i32.const 1)))
            (br_if $out (i32.ge_u (local.get $s) (i32.const 1000)))
            (br_if $mid (i32.ge_u (local.get $j) (local.get $i)))
            (local.set $j (i32.add (local.get $j) (i32.const 1)))
            (br $b)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $a (i32.lt_u (local.get $i) (local.get $n)))))
    (local.get $s))
  ;; A jump table with labels on both sides of the loops.
  (func (export "table") (param $n i32) (result i32) (local $s i32)
    (block $out
      (loop $a
        (local.set $s (i32.add (local.get $s) (i32.const 100)))
        (loop $b
          (block $skip
            (local.set $n (i32.sub (local.get $n) (i32.const 1)))
            (br_if $out (i32.lt_s (local.get $n) (i32.const 0)))
            (br_table $a $b $skip $out (i32.rem_u (local.get $n) (i32.const 3))))
          (local.set $s (i32.add (local.get $s) (i32.const 1)))
          (br $b))))
    (local.get $s))
  ;; A loop with parameters and results: (count, product).
  (func (export "factorial") (param $n i64) (result i64)
    (i64.const 1)
    (local.get $n)
    (loop $l (param i64 i64) (result i64)
      (local.set $n)
      (local.get $n)
      (i64.mul)
      (local.get $n)
      (i64.const 1)
      (i64.sub)
      (local.tee $n)
      (local.get $n)
      (i64.const 1)
      (i64.gt_s)
      (br_if $l)
      (drop)))
  ;; A loop that returns from within, one whose result is branched out with.
  (func (export "returns") (param $n i32) (result i32)
    (block $v (result i32)
      (loop $l
        (local.set $n (i32.add (local.get $n) (i32.const 7)))
        (if (i32.gt_u (local.get $n) (i32.const 1000)) (then (return (local.get $n))))
        (drop (br_if $v (i32.const 5) (i32.eq (local.get $n) (i32.const 99))))
        (br $l))
      (unreachable)))
  (func $twice (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
  ;; A loop without calls within one with calls, and the other way round.
  (func (export "mixed") (param $n i32) (result i32) (local $i i32) (local $s i32)
    (loop $a
      (local.set $i (i32.const 0))
      (loop $b
        (local.set $s (i32.add (local.get $s) (local.get $i)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $b (i32.lt_u (local.get $i) (local.get $n))))
      (local.set $s (i32.and (call $twice (local.get $s)) (i32.const 0xffff)))
      (local.set $i (i32.const 0))
      (loop $c
        (local.set $s (i32.and (call $twice (local.get $s)) (i32.const 0xfff)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (loop $d
          (local.set $s (i32.add (local.get $s) (i32.const 3)))
          (br_if $d (i32.lt_u (local.get $s) (i32.const 50))))
        (br_if $c (i32.lt_u (local.get $i) (i32.const 3))))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $a (local.get $n)))
    (local.get $s))
  ;; Code behind a branch is checked for its types too.
  (func (export "dead") (result i32)
    (loop $l (result i32)
      (return (i32.const 4))
      (loop $m (br_if $m (i32.const 1)) (br $l))
      (unreachable)))
  ;; A loop nothing branches to is a block.
  (func (export "once") (param i32) (result i32)
    (loop $l (result i32) (block $b (br_if $b (local.get 0)) (return (i32.const 1))) (i32.const 2)))
  (func $fib (export "fib") (param i32) (result i32)
    (if (result i32) (i32.lt_u (local.get 0) (i32.const 2))
      (then (local.get 0))
      (else (i32.add
        (call $fib (i32.sub (local.get 0) (i32.const 1)))
        (call $fib (i32.sub (local.get 0) (i32.const 2)))))))
)

;; Loops as a C compiler writes them.
(module
  (memory (export "memory") 17)
  ;; The length of a string of n bytes.
  (func (export "strlen") (param $n i32) (result i32) (local $p i32)
    (memory.fill (i32.const 0) (i32.const 1) (local.get $n))
    (i32.store8 (local.get $n) (i32.const 0))
    (local.set $p (i32.const -1))
    (loop $l
      (br_if $l (i32.load8_u (local.tee $p (i32.add (local.get $p) (i32.const 1))))))
    (local.get $p))
  ;; The number of primes below n.
  (func (export "sieve") (param $n i32) (result i32) (local $i i32) (local $j i32) (local $c i32)
    (memory.fill (i32.const 0) (i32.const 1) (local.get $n))
    (local.set $i (i32.const 2))
    (loop $a
      (if (i32.load8_u (local.get $i)) (then
        (local.set $c (i32.add (local.get $c) (i32.const 1)))
        (block $done
          (br_if $done (i32.ge_u (local.tee $j (i32.shl (local.get $i) (i32.const 1))) (local.get $n)))
          (loop $b
            (i32.store8 (local.get $j) (i32.const 0))
            (br_if $b (i32.lt_u (local.tee $j (i32.add (local.get $j) (local.get $i))) (local.get $n)))))))
      (br_if $a (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $c))
  ;; The most steps any number below n takes.
  (func (export "collatz") (param $n i32) (result i32) (local $i i32) (local $x i64) (local $c i32) (local $m i32)
    (local.set $i (i32.const 1))
    (loop $a
      (local.set $x (i64.extend_i32_u (local.get $i)))
      (local.set $c (i32.const 0))
      (block $done
        (loop $b
          (br_if $done (i64.eq (local.get $x) (i64.const 1)))
          (local.set $c (i32.add (local.get $c) (i32.const 1)))
          (local.set $x (select
            (i64.add (i64.mul (local.get $x) (i64.const 3)) (i64.const 1))
            (i64.shr_u (local.get $x) (i64.const 1))
            (i32.wrap_i64 (i64.and (local.get $x) (i64.const 1)))))
          (br $b)))
      (local.set $m (select (local.get $c) (local.get $m) (i32.gt_u (local.get $c) (local.get $m))))
      (br_if $a (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $m))
)

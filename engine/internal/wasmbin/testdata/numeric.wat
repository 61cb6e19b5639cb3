;; Saturating conversions, sign extension, vectors.
(module
  (memory (export "memory") 1)
  (data (i32.const 0) "\01\02\03\04\05\06\07\08\09\0a\0b\0c\0d\0e\0f\10")
  (func (export "sat") (param f64) (result i64) (i64.extend_i32_s (i32.trunc_sat_f64_s (local.get 0))))
  (func (export "ext") (param i64) (result i64) (i64.extend8_s (local.get 0)))
  ;; The bytes of the constant and opcodes below look like loops and branches.
  (func (export "shuffle") (param $n i32) (result i32) (local $v v128)
    (local.set $v (v128.load (i32.const 0)))
    (loop $l
      (local.set $v (i8x16.shuffle 3 0 2 1 12 13 14 15 11 4 5 6 7 8 9 10 (local.get $v) (v128.const i8x16 3 64 12 0 11 3 64 12 0 11 3 64 12 0 11 0)))
      (local.set $v (i8x16.add (local.get $v) (i8x16.splat (i32.const 3))))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $l (local.get $n)))
    (local.set $v (v128.load32_lane offset=4 2 (i32.const 0) (local.get $v)))
    (v128.store64_lane offset=32 1 (i32.const 0) (local.get $v))
    (i32.add (i32x4.extract_lane 2 (local.get $v)) (i16x8.extract_lane_u 0 (i16x8.mul (local.get $v) (local.get $v)))))
  (func (export "const") (result f64)
    (f64.add (f64.const 0x1.3034010b0c0dp+3) (f64.promote_f32 (f32.const 0x1.0304p+1))))
)

module github.com/wsandbox/wsandbox/guests/src

go 1.26

require github.com/wsandbox/wsandbox v0.0.0

replace github.com/wsandbox/wsandbox => ../..

module github.com/wsandbox/wsandbox/guests/src

go 1.26.0

require github.com/wsandbox/wsandbox v0.0.0

require mvdan.cc/sh/v3 v3.14.1

require (
	github.com/creack/pty v1.1.24
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/wsandbox/wsandbox => ../..

module github.com/wsandbox/wsandbox

go 1.26

// The versions of this site, the newest first. Each lies in a folder of its own, named by it, beside the others.
// Whoever publishes a further one copies this file into the folder _static of all: nothing else knows the others.
const VERSIONS = ["0.1.0"];

import { writeFileSync } from 'node:fs'
import { coverageTable } from './lib/coverage.ts'

writeFileSync('docs/coverage.md', coverageTable())

import { ensurePackages } from './lib/packages.mjs'
import { exitCode } from './lib/run.mjs'
import { runsShippedNode, withShippedNode } from './lib/shipped-node.mjs'

/** Runs a benchmark on the Node that the image ships: node scripts/bench.mjs NAME [options] */
const [name, ...options] = process.argv.slice(2)
await ensurePackages({ withTools: true })
const env = runsShippedNode ? process.env : await withShippedNode(process.env)
process.exitCode = await exitCode('node', ['node_modules/tsx/dist/cli.mjs', `bench/${name}.ts`, ...options], { env })

import { ensurePackages } from './lib/packages.mjs'
import { exitCode } from './lib/run.mjs'

/** Hostile requests to every call: `npm run fuzz [-- --requests 50000] [--seed 1]`. */
const optionOf = (name) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const requests = optionOf('requests') ?? '50000'
const seed = optionOf('seed') ?? String(1 + Math.floor(Math.random() * 2 ** 31))
await ensurePackages({ withTools: true })
console.log(`${requests} requests, seed ${seed}`)
process.exit(
  await exitCode(
    'node_modules/.bin/vitest',
    ['run', 'server/fuzz.postgres.test.ts', 'server/hostile-walk.postgres.test.ts'],
    {
      env: { ...process.env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed },
    },
  ),
)

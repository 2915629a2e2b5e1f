import type { Scenario } from '../lib/scenario.ts'
import { behindNginx } from './behind-nginx.ts'
import { embedded } from './embedded.ts'
import { jobs } from './jobs.ts'
import { killing } from './killing.ts'
import { payments } from './payments.ts'
import { postgres } from './postgres.ts'
import { provider } from './provider.ts'
import { readers } from './readers.ts'
import { redis } from './redis.ts'
import { starting } from './starting.ts'
import { stopping } from './stopping.ts'
import { storage } from './storage.ts'
import { upgrading } from './upgrading.ts'

const number = ({ id }: Scenario) => Number.parseInt(id, 10)

/** Every scenario of the drill, in order of their numbers. */
export const scenarios: Scenario[] = [
  ...starting,
  ...stopping,
  ...behindNginx,
  ...killing,
  ...postgres,
  ...redis,
  ...storage,
  ...provider,
  ...readers,
  ...embedded,
  ...jobs,
  ...upgrading,
  ...payments,
].sort((one, other) => number(one) - number(other))

import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startBalancer } from './balancer.ts'
import { makeTrackedFolder } from './ending.ts'
import { startFakeProvider } from './model.ts'
import { addModels, OWNER, type Person, signIn } from './people.ts'
import { openPostgres } from './postgres.ts'
import { LOGS } from './processes.ts'
import { openRedis, openS3 } from './small-services.ts'
import { BASE, type Drill, openStage } from './stage.ts'

/** Additional users, for calls of a scenario while the others read streams. */
const SPARE = 4
const MAX_PARALLEL_SIGN_INS = 4

/** Starts what all scenarios share, and fills the database that each of them gets a copy of. */
export async function openDrill(streams: number, isShort: boolean): Promise<Drill> {
  rmSync(LOGS, { recursive: true, force: true })
  const build = copyBuild()
  const [postgres, redis, s3, provider, balancer] = await Promise.all([
    openPostgres(),
    openRedis(),
    openS3(),
    startFakeProvider(),
    startBalancer(),
  ])
  const drill: Drill = { postgres, redis, s3, provider, balancer, build, people: [], streams, isShort }
  await postgres.create(BASE)
  const stage = await openStage(drill, BASE)
  stage.instances.push(await stage.newInstance('base', {}, build))
  await stage.at(0).start()
  const { url } = stage.at(0)
  await addModels(url, await signIn(url, balancer.url, OWNER, '10.9.9.9'))
  drill.people.push(...(await signInAll(url, balancer.url, streams + SPARE)))
  await stage.at(0).kill()
  await stage.db.end()
  await pause(200)
  return drill
}

async function signInAll(at: string, origin: string, count: number): Promise<Person[]> {
  const people: Person[] = []
  const left = Array.from({ length: count }, (_, i) => i)
  const work = async () => {
    for (let i = left.shift(); i !== undefined; i = left.shift()) {
      people.push(await signIn(at, origin, `person-${i}@example.test`, `10.1.${i >> 8}.${(i & 255) + 1}`))
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_SIGN_INS }, work))
  return people
}

/** Copies the build, which may be rebuilt during the drill; inside the project, so that it finds its packages. */
function copyBuild(): string {
  mkdirSync('.cache', { recursive: true })
  const folder = makeTrackedFolder('.cache/drill-build-')
  cpSync('dist', folder, { recursive: true })
  return folder
}

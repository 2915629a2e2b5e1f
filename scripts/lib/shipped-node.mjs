import { existsSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { run } from './run.mjs'

/** The version that the image ships (Dockerfile). Tests of calls and processes run on the Node of the machine too. */
export const SHIPPED_NODE = '24.21.0'

const FOLDER = `.cache/node-${SHIPPED_NODE}`
const major = (version) => version.replace(/^v/, '').split('.')[0]

export const runsShippedNode = major(process.version) === major(SHIPPED_NODE)

/** The environment in which commands run on the shipped Node; npm carries the program. */
export async function withShippedNode(env) {
  const bin = resolve(FOLDER, 'node_modules/node/bin')
  if (!existsSync(bin)) {
    console.log(`Устанавливаю Node ${SHIPPED_NODE}…`)
    const quiet = [
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts=false',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]
    await run('npm', ['install', '--prefix', FOLDER, ...quiet, `node@${SHIPPED_NODE}`])
  }
  return { ...env, PATH: `${bin}${delimiter}${env.PATH}` }
}

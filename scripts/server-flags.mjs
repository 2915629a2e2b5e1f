import { totalmem } from 'node:os'
import { memoryLimit, serverFlags } from './lib/server-flags.mjs'

/**
 * Prints the flags of Node for the server in this place. V8 reads them once, at its start, so `npm start` and the image
 * ask for them first; Node reads the limit of the control group (versions 1 and 2).
 */
const limit = memoryLimit(totalmem(), process.constrainedMemory?.())
console.log(serverFlags({ limit, isEmbedded: !process.env.DATABASE_URL }).join(' '))

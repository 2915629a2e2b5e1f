const MIB = 2 ** 20
/** Below 2 GB V8 lets the old generation double instead of growing fourfold (docs/decisions/095). */
const MOST_HEAP = 2000
/** What the server takes beside its heap: Node itself, buffers, pictures, threads that read files. */
const ROOM = 384
/** The embedded database: its memory, a second one while the first start makes it, its compiled code. */
const EMBEDDED_ROOM = 256
/** Where a heap is small, room is taken from the rare rather than from the server. */
const LEAST_SHARE = 4
/** V8 takes 600 MiB for seconds to optimize one function of the embedded database (docs/decisions/105). */
const OPTIMIZING_NEEDS = 2048

/**
 * Flags of Node for the server: a small young generation, and an old one that fits into `limit`, in bytes: what the
 * container or the service may take, or the machine has.
 */
export function serverFlags({ limit, isEmbedded }) {
  const all = limit / MIB
  const heap = Math.max(all / LEAST_SHARE, all - ROOM - (isEmbedded ? EMBEDDED_ROOM : 0))
  const flags = ['--max-semi-space-size=2', `--max-old-space-size=${Math.floor(Math.min(MOST_HEAP, heap))}`]
  return isEmbedded && all < OPTIMIZING_NEEDS ? [...flags, '--liftoff-only'] : flags
}

/** Where memory is no question: the flags of the benches, the drill and the e2e tests. */
export const SERVER_FLAGS = serverFlags({ limit: Number.POSITIVE_INFINITY, isEmbedded: false })

/** The smaller of what the machine has and what is allowed; without a limit Node names 0, nothing or a huge number. */
export const memoryLimit = (machine, allowed) => (allowed ? Math.min(machine, allowed) : machine)

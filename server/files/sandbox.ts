/**
 * The limits a worker cannot be given from outside, set before any parser is loaded. The heap has a cap of its own,
 * but arrays of bytes live beside it, and a stream in a PDF may claim to be a thousand times its size.
 */
const MAX_ARRAY_BYTES = 64 * 1024 * 1024

let refused = 0

/** How many arrays were too large so far. Parsers swallow such a failure and go on as if the part were empty. */
export const refusedArrays = () => refused

export function restrictWorkerGlobals(): void {
  const Capped: Uint8ArrayConstructor = new Proxy(globalThis.Uint8Array, {
    construct(target, args, newTarget) {
      if (typeof args[0] === 'number' && args[0] > MAX_ARRAY_BYTES) {
        refused += 1
        throw new RangeError('Too large an array of bytes')
      }
      return Reflect.construct(target, args, newTarget === Capped ? target : newTarget)
    },
  })
  globalThis.Uint8Array = Capped
  // It would unpack out of sight of the cap; without it PDFs are unpacked step by step.
  for (const name of ['DecompressionStream', 'fetch', 'WebSocket', 'EventSource'])
    Reflect.deleteProperty(globalThis, name)
}

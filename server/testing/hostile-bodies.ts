import { createRandom, fitting, type JsonSchema } from './fuzz/values.ts'

/** Bodies that cost the most for their length. */

interface Size {
  bytes: number
  values: number
}

/** As many parts as fit; a part counts as the given number of values. */
function fill({ bytes, values }: Size, each: number, part: (n: number) => string): string {
  const parts: string[] = []
  let length = 2
  for (let n = 0; (n + 1) * each < values - 8; n++) {
    const next = part(n)
    length += next.length + 1
    if (length > bytes) break
    parts.push(next)
  }
  return parts.join()
}

const odd = ['null', 'true', '"a"', '{}', '[]', '1e9']

/** JSON, one byte for each character. */
export const shapes: Record<string, (size: Size) => string> = {
  'flat numbers': (size) => `[${fill(size, 1, () => '1')}]`,
  'nested lists': (size) => `[${fill(size, 9, () => '[[[[[[[[]]]]]]]]')}]`,
  'many keys': (size) => `{${fill(size, 1, (n) => `"${n.toString(36)}":0`)}}`,
  'long strings': ({ bytes }) => `"${'\\n'.repeat(Math.min(999_000, bytes / 3))}${'a'.repeat(bytes / 3)}"`,
  'many parts': (size) => `[${fill(size, 2, () => '{"type":"text"}')}]`,
  'wrong types': (size) => `[${fill(size, 2, (n) => odd[n % odd.length] ?? '')}]`,
}

type Path = (string | number)[]

const HERE = '@hostile@'
const VARIANTS = 3

/**
 * Bodies that fit but for one place, where something hostile is put. Every place that a fitting body may have is one,
 * the whole body too.
 */
export function placesIn(schema: JsonSchema, mostDepth: number): Map<string, (hostile: string) => string> {
  const random = { ...createRandom(1), chance: () => true }
  const places = new Map([['', (hostile: string) => hostile]])
  for (let variant = 0; variant < VARIANTS; variant++) {
    const body = fitting(schema, random, () => 'no-such-id')
    for (const path of pathsIn(body, mostDepth)) {
      const [before = '', after = ''] = JSON.stringify(replaced(body, path)).split(`"${HERE}"`)
      places.set(path.join('.'), (hostile) => before + hostile + after)
    }
  }
  return places
}

function pathsIn(value: unknown, mostDepth: number): Path[] {
  if (mostDepth === 0 || typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .slice(0, Array.isArray(value) ? 1 : undefined)
    .flatMap(([name, part]) => [[name], ...pathsIn(part, mostDepth - 1).map((path) => [name, ...path])])
}

function replaced(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return HERE
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[name] = replaced(copy[name], rest)
  return copy
}

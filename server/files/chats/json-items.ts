/** One value that was cut out of a long JSON text; the text is null when it is too long. */
export type JsonItem = { text: string; bytes: number } | { text: null; head: string; bytes: number }

export interface ItemSplitter {
  push: (chunk: Uint8Array) => JsonItem[]
  /** After the last chunk: whether the text ended before its JSON did, inside of a list of items or of anything. */
  cutOff: () => 'list' | 'text' | null
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** A key that is longer is none of ours. */
const MAX_KEY = 64
/** Bytes of a value that is too long: its title stands there. */
const MAX_HEAD = 2000

/**
 * Cuts a JSON text that comes in chunks into the objects of its list. The list is the whole text, or stands under one
 * of `keys` in the object that is the whole text; without such a key that object is the only item.
 * Signs of the syntax are ASCII, so a chunk may end inside of a character.
 */
export function splitItems(keys: readonly string[], maxBytes: number): ItemSplitter {
  let depth = 0
  /** The depth of the list whose objects are items; 0 outside of one. */
  let listDepth = 0
  let isWhole = false
  let inString = false
  let escaped = false
  let key: number[] | null = null
  let lastKey = ''
  /** The depth that the current item ends at; -1 between items. */
  let itemDepth = -1
  let captured: Uint8Array[] = []
  let bytes = 0
  let from = 0
  let found: JsonItem[] = []

  function capture(chunk: Uint8Array, to: number): void {
    if (itemDepth < 0) return
    bytes += to - from
    captured.push(chunk.slice(from, to))
    if (bytes > maxBytes) captured = [Buffer.from(Buffer.concat(captured).subarray(0, MAX_HEAD))]
    from = to
  }

  function begin(at: number): void {
    itemDepth = depth
    captured = []
    bytes = 0
    from = at
  }

  function finish(): void {
    const fits = bytes <= maxBytes
    // A long text without a list of ours is not a chat that came too long.
    const text = Buffer.concat(captured).toString('utf8')
    if (fits) found.push({ text, bytes })
    else if (!isWhole) found.push({ text: null, head: text.slice(0, MAX_HEAD), bytes })
    captured = []
    itemDepth = -1
  }

  function open(sign: number, at: number): void {
    if (depth === 0 && sign === OPEN_LIST) listDepth = 1
    const isTop = depth === 0 && sign === OPEN_OBJECT
    if (depth === 1 && sign === OPEN_LIST && (isWhole || itemDepth < 0) && listDepth === 0 && keys.includes(lastKey)) {
      listDepth = 2
      isWhole = false
      itemDepth = -1
      captured = []
    }
    if (isTop) isWhole = true
    if (isTop || (sign === OPEN_OBJECT && itemDepth < 0 && listDepth > 0 && depth === listDepth)) begin(at)
    depth += 1
  }

  function close(chunk: Uint8Array, at: number): void {
    depth -= 1
    if (itemDepth >= 0 && depth === itemDepth) {
      capture(chunk, at + 1)
      finish()
    }
    if (depth < listDepth) listDepth = 0
  }

  function scan(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += 1) {
      const sign = chunk[at] ?? 0
      if (inString) {
        if (escaped) escaped = false
        else if (sign === BACKSLASH) escaped = true
        else if (sign === QUOTE) {
          inString = false
          if (key) lastKey = String.fromCharCode(...key)
          key = null
        } else if (key && key.length < MAX_KEY) key.push(sign)
      } else if (sign === QUOTE) {
        inString = true
        key = depth === 1 && listDepth === 0 ? [] : null
      } else if (sign === OPEN_OBJECT || sign === OPEN_LIST) open(sign, at)
      else if ((sign === CLOSE_OBJECT || sign === CLOSE_LIST) && depth > 0) close(chunk, at)
    }
  }

  return {
    push: (chunk) => {
      found = []
      from = 0
      scan(chunk)
      capture(chunk, chunk.length)
      return found
    },
    cutOff: () => (depth === 0 && !inString ? null : listDepth > 0 ? 'list' : depth > 0 ? 'text' : null),
  }
}

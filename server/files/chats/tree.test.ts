import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTree, type Shown, type Tree, type TreeNode } from './tree.ts'

const shown = (role: Shown['role'], content: string): Shown => ({
  role,
  content,
  model: null,
  pictures: [],
  documents: [],
})
const node = (
  id: string,
  parent: string | null,
  role: Shown['role'] | null,
  more: Partial<TreeNode> = {},
): TreeNode => ({
  id,
  parent,
  time: null,
  shown: role && shown(role, id),
  thought: '',
  ...more,
})

/** The visible line of a tree of ours: who says what, from the first message to this one. */
function lineOf({ messages }: Tree, leaf: string | null): [role: string, text: string][] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const line: [string, string][] = []
  for (let at = leaf; at !== null; ) {
    const message = byId.get(at)
    if (!message) throw new Error(`${at} is not in the tree`)
    line.unshift([message.role, message.content])
    at = message.parent
  }
  return joinAnswers(line)
}

const joinAnswers = (line: [string, string][]) =>
  line.reduce<[string, string][]>((all, [role, text]) => {
    const last = all.at(-1)
    if (last?.[0] === 'assistant' && role === 'assistant') last[1] = `${last[1]}\n\n${text}`
    else all.push([role, text])
    return all
  }, [])

/** The same line by the archive itself: walk up, stop where a node was seen, leave out what is hidden. */
function lineIn(nodes: TreeNode[], leaf: string): [string, string][] {
  const known = new Map(nodes.map((one) => [one.id, one]))
  const line: [string, string][] = []
  const seen = new Set<string>()
  for (let at: string | null = leaf; at !== null && !seen.has(at); ) {
    seen.add(at)
    const one = known.get(at)
    if (one?.shown) line.unshift([one.shown.role, one.shown.content])
    at = one?.parent ?? null
  }
  return joinAnswers(line)
}

const anyNodes = fc.array(
  fc.record({
    parent: fc.option(fc.nat(40), { nil: null }),
    role: fc.constantFrom('user' as const, 'assistant' as const, null),
    time: fc.option(fc.nat(1000), { nil: null }),
  }),
  { minLength: 1, maxLength: 40 },
)
const toNodes = (drafts: { parent: number | null; role: Shown['role'] | null; time: number | null }[]) =>
  drafts.map(({ parent, role, time }, at) => node(`n${at}`, parent === null ? null : `n${parent}`, role, { time }))

test('whatever nodes come, the result is a tree with parents first (S10.881)', () => {
  fc.assert(
    fc.property(anyNodes, (drafts) => {
      const { messages, leaf } = buildTree(toNodes(drafts), null, 500)
      const before = new Map<string, number>()
      for (const { id, parent, createdAt } of messages) {
        expect(before.has(id)).toBe(false)
        if (parent !== null) expect(createdAt).toBeGreaterThanOrEqual(before.get(parent) ?? Number.NaN)
        before.set(id, createdAt)
      }
      expect(leaf === null).toBe(messages.length === 0)
      if (leaf !== null) expect(before.has(leaf)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('whatever tree comes, the shown line stays the same (S10.881)', () => {
  // Parents before children: without circles the line of the archive is certain.
  const trees = anyNodes.map((drafts) =>
    toNodes(
      drafts.map(({ parent, ...draft }, at) => ({
        ...draft,
        parent: parent === null || at === 0 ? null : parent % at,
      })),
    ),
  )
  fc.assert(
    fc.property(trees, fc.nat(), (nodes, pick) => {
      const current = nodes[pick % nodes.length]?.id ?? ''
      const tree = buildTree(nodes, current, 500)
      const expected = lineIn(nodes, current)
      if (expected.length > 0) expect(lineOf(tree, tree.leaf)).toEqual(expected)
      // Every other branch is there too.
      const parents = new Set(nodes.map(({ parent }) => parent))
      const lines = new Set(tree.messages.map(({ id }) => JSON.stringify(lineOf(tree, id))))
      for (const { id } of nodes.filter(({ id, shown: isShown }) => isShown && !parents.has(id))) {
        const line = lineIn(nodes, id)
        if (line.length > 0) expect(lines).toContain(JSON.stringify(line))
      }
    }),
    { numRuns: 2000 },
  )
})

test('a circle begins a new branch and loses nothing (S10.881)', () => {
  const { messages } = buildTree([node('a', 'c', 'user'), node('b', 'a', 'assistant'), node('c', 'b', 'user')], null, 1)
  expect(messages.map(({ id, parent }) => [id, parent])).toEqual([
    ['b', null],
    ['c', 'b'],
    ['a', 'c'],
  ])
})

test('thoughts belong to the answer that follows (S10.882)', () => {
  const nodes = [
    node('q', null, 'user'),
    node('t', 'q', null, { thought: 'Думаю' }),
    node('recap', 't', null),
    node('a', 'recap', 'assistant'),
  ]
  expect(buildTree(nodes, 'a', 1).messages.at(-1)).toMatchObject({ id: 'a', parent: 'q', thought: 'Думаю' })
})

test('answers in a row are one; branches repeat their common beginning (S10.881)', () => {
  const nodes = [
    node('q', null, 'user'),
    node('a1', 'q', 'assistant'),
    node('a2', 'a1', 'assistant'),
    node('left', 'a2', 'assistant'),
    node('right', 'a2', 'assistant'),
  ]
  const { messages, leaf } = buildTree(nodes, null, 1)
  expect(messages.map(({ id, parent, content }) => [id, parent, content])).toEqual([
    ['q', null, 'q'],
    ['left', 'q', 'a1\n\na2\n\nleft'],
    ['right', 'q', 'a1\n\na2\n\nright'],
  ])
  expect(leaf).toBe('right')
})

test('inverted times do not change the order of versions (S10.881)', () => {
  const nodes = [
    node('q', null, 'user', { time: 5000 }),
    node('first', 'q', 'assistant', { time: 4998 }),
    node('second', 'q', 'assistant', { time: 4000 }),
  ]
  expect(buildTree(nodes, 'first', 1).messages.map(({ createdAt }) => createdAt)).toEqual([5000, 5000, 5001])
})

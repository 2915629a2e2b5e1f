import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parsePrompt } from '#contract/prompt-variables.ts'
import { PromptDraft } from '#contract/prompts.ts'
import type { Db } from '#server/db/client.ts'
import { promptSeeds, prompts } from '#server/db/schema.ts'
import { splitPage } from '#server/features/help/pages.ts'
import { newId } from '#server/lib/ids.ts'
import { type PromptTexts, writeTexts } from './versions.ts'

export interface PromptSeed extends PromptTexts {
  /** Folder and name of the file. */
  key: string
  position: number
}

interface PromptSeeds {
  seeds: PromptSeed[]
  /** A bad file is left out; the server starts without it. */
  problems: string[]
}

const Categories = z.record(z.string(), z.string())
const FrontMatter = z.strictObject({
  title: z.string().check(z.minLength(1)),
  description: z.string().check(z.minLength(1)),
  order: z.coerce.number().check(z.int(), z.minimum(1)),
})

export function readSeeds(folder: string): PromptSeeds {
  if (!existsSync(folder)) return { seeds: [], problems: [`${folder} is not there`] }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const sources = files.map((file): [string, string] => [
    relative(folder, file).split(sep).join('/').replace(/\.md$/, ''),
    readFileSync(file, 'utf8'),
  ])
  return makeSeeds(sources, Categories.parse(JSON.parse(readFileSync(join(folder, 'categories.json'), 'utf8'))))
}

/** The category is the folder; title and description are front matter; the body is the prompt. */
export function makeSeeds(sources: [key: string, source: string][], categories: Record<string, string>): PromptSeeds {
  const found: PromptSeeds = { seeds: [], problems: [] }
  for (const [key, source] of sources) {
    const { fields, text } = splitPage(source)
    const front = FrontMatter.safeParse(fields)
    const category = categories[key.split('/')[0] ?? '']
    const draft = PromptDraft.safeParse({
      title: fields.title,
      description: fields.description,
      content: text,
      category,
    })
    if (category === undefined) found.problems.push(`${key}: its folder is not in categories.json`)
    for (const { path } of [...(front.error?.issues ?? []), ...(draft.error?.issues ?? [])]) {
      found.problems.push(`${key}: no good ${path.join('.') || 'field'}`)
    }
    for (const { source: fragment, reason } of parsePrompt(text).problems) {
      found.problems.push(`${key}: ${fragment}: ${reason}`)
    }
    if (category === undefined || !front.success || !draft.success) continue
    const { published: _, ...texts } = draft.data
    found.seeds.push({ key, ...texts, position: front.data.order })
  }
  found.problems.push(...repeats(found.seeds))
  return found
}

function repeats(seeds: PromptSeed[]): string[] {
  const titles = seeds.map(({ title }) => title)
  return seeds
    .filter(({ title }, i) => titles.indexOf(title) !== i)
    .map(({ key, title }) => `${key}: there is another «${title}»`)
}

function hashTexts({ title, description, content, category }: PromptTexts): string {
  return createHash('sha256')
    .update(JSON.stringify([title, description, content, category]))
    .digest('hex')
}

/** Links in Markdown, and bare paths of our own pages. */
export function linksIn({ description, content }: PromptTexts): string[] {
  const text = `${description}\n${content}`
  const marked = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const bare = [...text.matchAll(/(?<=^|[\s«"])(\/(?:help|profile|prompts|promptcms|images|transcribe)[\w/#-]*)/gmu)]
  return [...marked, ...bare.map(([, link = '']) => link)]
}

/**
 * Publishes the built-in prompts at the start and updates those of an older build. A prompt that was edited or
 * deleted is left alone.
 */
export async function publishBuiltInPrompts(db: Db, seeds: readonly PromptSeed[]): Promise<void> {
  const now = Date.now()
  await db.transaction(async (tx) => {
    const known = new Map((await tx.select().from(promptSeeds)).map((seed) => [seed.key, seed]))
    for (const [i, seed] of seeds.entries()) {
      const before = known.get(seed.key)
      if (!before) await insertSeed(tx, seed, newId(now - i))
      else if (before.promptId && before.hash !== hashTexts(seed))
        await updateSeed(tx, seed, before.promptId, before.hash)
    }
  })
}

async function insertSeed(tx: Db, { key, ...seed }: PromptSeed, id: string): Promise<void> {
  // Of several instances that start at once, the one that inserts the key adds the prompt.
  const inserted = await tx
    .insert(promptSeeds)
    .values({ key, hash: hashTexts(seed) })
    .onConflictDoNothing()
    .returning({ key: promptSeeds.key })
  if (inserted.length === 0) return
  await tx.insert(prompts).values({ id, ...seed, published: true })
  await tx.update(promptSeeds).set({ promptId: id }).where(eq(promptSeeds.key, key))
}

async function updateSeed(tx: Db, { key, position: _, ...seed }: PromptSeed, id: string, hash: string): Promise<void> {
  const [row] = await tx.select().from(prompts).where(eq(prompts.id, id)).for('update')
  if (!row || hashTexts(row) !== hash) return
  await writeTexts(tx, null, [{ id, ...seed }])
  await tx
    .update(promptSeeds)
    .set({ hash: hashTexts(seed) })
    .where(eq(promptSeeds.key, key))
}

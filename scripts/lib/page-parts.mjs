import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Modules that a screen asks for by itself as soon as it is shown. */
const extraModules = {
  'threads-id': ['web/ui/markdown/markdown.tsx', 'web/features/chat/sending/deliver.ts'],
}
/** What a page without a network may need beside the frame and the chat: it cannot be fetched then. */
const offlineModules = [
  'web/app/offline/start-offline.ts',
  'web/ui/toaster.tsx',
  'web/features/chat/sending/deliver.ts',
  'web/features/chat/composer/estimated-price.tsx',
]

/**
 * Which built files each screen needs beside those that index.html names: itself, what it imports, their styles. The
 * server names them in the page, so that they are not discovered one after another.
 */
export function pagePartsOf(output) {
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]))
  const home = new Map()
  for (const chunk of chunks.values()) for (const id of chunk.moduleIds) home.set(relative('.', id), chunk.fileName)
  const html = String(output.find(({ fileName }) => fileName === 'index.html')?.source)
  const named = new Set([...html.matchAll(/(?:src|href)="\/(assets\/.+?)"/g)].map(([, file]) => file))

  const fonts = output.map(({ fileName }) => fileName).filter((name) => /golos-text-/.test(name))

  function closure(fileName, seen = new Set()) {
    const chunk = chunks.get(fileName)
    if (!chunk || seen.has(fileName)) return []
    seen.add(fileName)
    const styles = chunk.viteMetadata?.importedCss ?? []
    return [fileName, ...styles, ...chunk.imports.flatMap((name) => closure(name, seen))]
  }

  function filesOf(modules) {
    const files = modules.flatMap((module) => {
      const fileName = home.get(module)
      if (!fileName) throw new Error(`The build has no ${module}`)
      return closure(fileName)
    })
    return [...new Set(files)].filter((file) => !named.has(file)).map((file) => `/${file}`)
  }

  const screens = Object.entries(screenModules()).map(([screen, modules]) => [
    screen,
    filesOf([...modules, ...(extraModules[screen] ?? [])]),
  ])
  return {
    frame: filesOf(['web/app/frame/frame.tsx']),
    admin: filesOf(['web/app/frame/admin-nav.tsx', 'web/features/disputes/waiting-disputes.tsx']),
    screens: Object.fromEntries(screens),
    offline: [...filesOf(offlineModules), ...fonts.map((file) => `/${file}`)],
  }
}

/** The modules that each screen starts with: its own and the manifest that names it. */
function screenModules() {
  const found = {}
  const list = readFileSync('web/features/index.ts', 'utf8')
  for (const [, feature] of list.matchAll(/import\('\.\/(\w+)\/feature\.ts'\)/g)) {
    const manifest = `web/features/${feature}/feature.ts`
    const screens = readFileSync(manifest, 'utf8').matchAll(
      /^ {4}'?([\w-]+)'?: \{[^{}]*?load: \(\) => import\('\.\/(.+?)'\)/gm,
    )
    for (const [, screen, file] of screens) found[screen] = [`web/features/${feature}/${file}`, manifest]
  }
  return found
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Attributes that every drawing of the set repeats: the component has them on its `svg`. */
const SHARED = ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"'
/** `export const Search = icon('search')` */
const LINE = /^export const (\w+) = icon\('([^']+)'\)$/gm
const ICON = 'virtual:icon/'
const COMPONENT = fileURLToPath(new URL('../../web/ui/icon.tsx', import.meta.url))

/**
 * Puts the drawings of the Lucide set in the place of their names in `web/ui/icons.ts`. In the build each icon is a
 * module, so that a screen loads the icons it shows and no others.
 */
export function icons() {
  const file = createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json')
  const set = JSON.parse(readFileSync(file, 'utf8'))
  let isBuild = false

  function drawn(name) {
    const icon = set.icons[name]
    if (!icon) throw new Error(`The Lucide set has no icon ${name}`)
    return `/* @__PURE__ */ icon(${JSON.stringify(icon.body.replaceAll(SHARED, '').replace(/^<g>(.*)<\/g>$/, '$1'))})`
  }

  return {
    name: 'icons',
    enforce: 'pre',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    transform: {
      filter: { id: /\/web\/ui\/icons\.ts$/ },
      handler: (code) => ({
        code: code.replace(LINE, (_, component, name) =>
          isBuild
            ? `export { Icon as ${component} } from '${ICON}${name}'`
            : `export const ${component} = ${drawn(name)}`,
        ),
        moduleSideEffects: false,
      }),
    },
    resolveId: { filter: { id: /^virtual:icon\// }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:icon\// },
      handler: (id) => ({
        code: `import { icon } from ${JSON.stringify(COMPONENT)}\nexport const Icon = ${drawn(id.slice(1 + ICON.length))}\n`,
        moduleSideEffects: false,
      }),
    },
  }
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

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
    return `/* @__PURE__ */ icon(${JSON.stringify(onePath(icon.body))})`
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

/** A drawing as the data of a single path: the browser styles, lays out and paints one shape and not up to five. */
export function onePath(body) {
  const shapes = [...body.matchAll(/<(\w+)([^>]*?)\/>/g)].map(([, tag, attributes]) => {
    const has = Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    const draw = shapesAsPaths[tag]
    if (!draw) throw new Error(`An icon has a shape that is not known: ${tag}`)
    return draw(has)
  })
  return shapes.join('')
}

const NUMBER = '-?(?:\\d*\\.\\d+|\\d+)'
const RELATIVE_START = new RegExp(`^m\\s*(${NUMBER})[\\s,]*(${NUMBER})\\s*(?=([-.\\d])?)`)

const shapesAsPaths = {
  // A first «m» is absolute, behind another path it would not be; numbers that follow it are relative lines.
  path: ({ d }) => d.replace(RELATIVE_START, (_, x, y, next) => `M${x} ${y}${next === undefined ? '' : 'l'}`),
  // A filled circle is a dot, small enough for the point of a pen in its middle to fill it.
  circle: ({ cx, cy, r, fill }) =>
    `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z${fill === 'currentColor' ? `M${cx} ${cy}h.01` : ''}`,
  rect: ({ x, y, width, height, rx = 0, ry = rx }) => {
    const corner = (dx, dy) => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`
    const [across, down] = [width - 2 * rx, height - 2 * ry]
    return `M${+x + +rx} ${y}h${across}${corner(rx, ry)}v${down}${corner(-rx, ry)}h${-across}${corner(-rx, -ry)}v${-down}${corner(rx, -ry)}z`
  },
}

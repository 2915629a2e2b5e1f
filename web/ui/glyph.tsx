import { classNames } from '#web/lib/class-names.ts'

/** Drawings made of symbols: «#» is one that stands, «@» the one that counts. */
export const drawings = {
  chats: [' ####### ', '#       #', '# #### @#', '#       #', ' ## #### ', '  ##     ', '  #      '],
  folder: [' ####    ', '#    ### ', '#       #', '#       #', '#     @ #', '#       #', ' ####### '],
  search: ['  ####   ', ' #    #  ', '#      # ', '#   @  # ', ' #    #  ', '  #### # ', '        #'],
  archive: ['#########', '#########', ' #     # ', ' # ##@ # ', ' #     # ', ' ####### '],
  trash: ['   ###   ', '#########', ' #     # ', ' # # # # ', ' # # @ # ', ' #     # ', ' ####### '],
  image: ['#########', '#     @ #', '#  #    #', '# ###   #', '##### # #', '#########'],
  sound: ['    #    ', '  # #    ', '  # # #  ', '# # @ # #', '  # # #  ', '  # #    ', '    #    '],
  prompt: ['####### ', '        ', '### @ ##', '        ', '#####   '],
  assistant: ['    #    ', ' ####### ', '#       #', '#  #  @ #', '#       #', ' ####### '],
  key: [' ###     ', '#   #    ', '# @ #####', '#   # # #', ' ###     '],
} as const satisfies Record<string, readonly string[]>

export type GlyphName = keyof typeof drawings

const STEP = { x: 10, y: 12 }

/** Decorative: the words beside it say the same. */
export function Glyph({ name, className }: { name: GlyphName; className?: string }) {
  const rows = drawings[name]
  const width = Math.max(...rows.map((row) => row.length))
  const cells = rows.flatMap((row, y) => [...row].map((mark, x) => ({ mark, x, y }))).filter(({ mark }) => mark !== ' ')
  return (
    <svg
      aria-hidden="true"
      width={width * STEP.x - 2}
      height={rows.length * STEP.y - 2}
      className={classNames('animate-[appear_160ms_ease-out]', className)}
    >
      {cells.map(({ mark, x, y }) => (
        <rect
          key={`${x}-${y}`}
          {...{ x: x * STEP.x, y: y * STEP.y, width: STEP.x - 2, height: STEP.y - 2, rx: 2 }}
          className={mark === '@' ? 'fill-accent-ink' : 'fill-line-strong/55'}
        />
      ))}
    </svg>
  )
}

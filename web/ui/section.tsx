import { type ReactNode, useEffect, useRef } from 'react'
import { keepInView } from '#web/lib/keep-in-view.ts'
import { useHash } from '#web/lib/use-hash.ts'
import { Link2 } from '#web/ui/icons.ts'

interface SectionProps {
  id: string
  title: string
  description?: ReactNode
  children: ReactNode
}

/**
 * A page section with its own URL: `#id` scrolls it into view. On a wide page with `data-beside` its title stands beside
 * its content.
 */
export function Section({ id, title, description, children }: SectionProps) {
  const section = useRef<HTMLElement>(null)
  const isAddressed = useHash() === id
  useEffect(() => {
    return isAddressed && section.current ? keepInView(section.current) : undefined
  }, [isAddressed])

  return (
    <section
      ref={section}
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-20 xl:group-data-beside/parts:grid xl:group-data-beside/parts:grid-cols-[13rem_minmax(0,1fr)] xl:group-data-beside/parts:grid-rows-[auto_1fr] xl:group-data-beside/parts:gap-x-8"
    >
      <h2 id={`${id}-title`} className="group flex items-center gap-1 text-lg font-semibold">
        {title}
        <a
          href={`#${id}`}
          aria-label={`Ссылка на раздел «${title}»`}
          className="-my-1 grid size-8 shrink-0 place-items-center rounded-sm text-muted opacity-0 max-frame:-my-2.5 max-frame:size-11 transition-opacity group-hover:opacity-100 focus-visible:opacity-100"
        >
          <Link2 size={16} />
        </a>
      </h2>
      {description && <p className="mt-1 text-pretty text-muted xl:group-data-beside/parts:text-sm">{description}</p>}
      <div className="mt-4 min-w-0 xl:group-data-beside/parts:col-start-2 xl:group-data-beside/parts:row-span-2 xl:group-data-beside/parts:row-start-1 xl:group-data-beside/parts:mt-0">
        {children}
      </div>
    </section>
  )
}

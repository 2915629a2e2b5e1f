import type { ThreadProject } from '#contract/threads.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { ProjectIcon } from '#web/ui/project-icon.tsx'

/** The project of an open chat, in its header. */
export function ProjectLink({ project: { id, name, icon } }: { project: ThreadProject }) {
  return (
    <Link
      href={paths.project(id)}
      title={`Проект «${name}»`}
      className="flex min-h-9 max-w-[40%] shrink-0 items-center gap-2 rounded-sm px-1.5 text-sm text-muted transition-colors hover:bg-hover hover:text-ink max-frame:min-h-11"
    >
      <ProjectIcon icon={icon} />
      <span className="truncate max-sm:sr-only">{name}</span>
    </Link>
  )
}

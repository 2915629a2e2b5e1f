import { MAX_TITLE } from '#contract/threads.ts'
import { RenameField } from '#web/ui/rename-field.tsx'

interface RenameThreadProps {
  title: string
  onDone: (title: string | null) => void
  className?: string
}

export function RenameThread(props: RenameThreadProps) {
  return <RenameField label="Название чата" maxLength={MAX_TITLE} {...props} />
}

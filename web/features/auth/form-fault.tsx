import { Callout } from '#web/ui/callout.tsx'

export function FormFault({ text }: { text: string | undefined }) {
  return text ? <Callout tone="danger">{text}</Callout> : null
}

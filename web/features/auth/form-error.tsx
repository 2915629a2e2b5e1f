import { Callout } from '#web/ui/callout.tsx'

export function FormError({ text }: { text: string | undefined }) {
  return text ? <Callout tone="danger">{text}</Callout> : null
}

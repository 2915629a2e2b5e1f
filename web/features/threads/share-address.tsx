import { ExternalLink } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { AddressField } from '#web/ui/address-field.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'

export function ShareAddress({ shareId }: { shareId: string }) {
  const address = new URL(paths.shared(shareId), location.origin).href
  return (
    <AddressField label="Ссылка на чат" address={address}>
      <a href={address} target="_blank" rel="noopener" className={buttonStyle('secondary', 'md')}>
        <ExternalLink size={18} aria-hidden="true" />
        Открыть
      </a>
    </AddressField>
  )
}

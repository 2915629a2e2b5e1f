import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { KeyList } from '#web/features/api-keys/key-list.tsx'
import { KeySpending } from '#web/features/api-keys/key-spending.tsx'
import { Programs } from '#web/features/api-keys/programs.tsx'
import { keysQuery } from '#web/features/api-keys/queries.ts'
import { TryKey } from '#web/features/api-keys/try-key.tsx'
import { RowSkeletons } from '#web/ui/icon-row.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Section } from '#web/ui/section.tsx'
import { ProfilePage } from './profile-page.tsx'

export default function KeysScreen() {
  return <ProfilePage part="profile-keys">{() => <Keys />}</ProfilePage>
}

/** A new key stays in the page's memory until it is left, so that it can be tried at once. */
function Keys() {
  const [secret, setSecret] = useState('')
  const keys = useQuery(keysQuery)
  if (!keys.data) return keys.isError ? <QueryError query={keys} /> : <RowSkeletons count={4} />
  const hasKeys = keys.data.keys.length > 0
  return (
    <>
      <Section id="keys" title="Ключи API" description="Ваши модели и ваш баланс в других программах.">
        <KeyList data={keys.data} onMade={(made) => setSecret(made.secret)} />
      </Section>
      {hasKeys && (
        <Section id="key-spending" title="Расход по ключам">
          <KeySpending keys={keys.data.keys} />
        </Section>
      )}
      {hasKeys && (
        <Section id="try-key" title="Попробовать" description="Одно сообщение так, как его пришлёт программа.">
          <TryKey secret={secret} onSecret={setSecret} />
        </Section>
      )}
      <Section id="programs" title="Подключение программ">
        <Programs baseUrl={keys.data.baseUrl} />
      </Section>
    </>
  )
}

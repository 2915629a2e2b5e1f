import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { modelsQuery, textModels } from '#web/features/models/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { AddressField } from '#web/ui/address-field.tsx'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/markdown/code/code-block.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

const languages = [
  { value: 'sh', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'js', label: 'Node.js' },
] as const
type Language = (typeof languages)[number]['value']

/** The person's own base address and ready lines for it. */
export function Programs({ baseUrl }: { baseUrl: string }) {
  const { data: models = [] } = useQuery(modelsQuery)
  const [language, setLanguage] = useState<Language>('sh')
  const model = textModels(models)[0]?.id ?? 'модель'
  return (
    <Card className="flex flex-col gap-5">
      <AddressField label="Базовый адрес" address={baseUrl} hint="Программы называют его Base URL или API Host" />
      <div className="flex min-w-0 flex-col gap-3">
        <Segmented label="На чём пример" value={language} options={languages} onChange={setLanguage} />
        <div className="prose answer">
          <CodeBlock code={examples[language](baseUrl, model)} language={language} isLive={false} />
        </div>
      </div>
      <p className="text-pretty text-muted">
        Пошагово:{' '}
        <TextLink inText href={paths.help('programs/scripts')}>
          скрипты
        </TextLink>
        ,{' '}
        <TextLink inText href={paths.help('programs/cline')}>
          Cline
        </TextLink>
        ,{' '}
        <TextLink inText href={paths.help('programs/continue')}>
          Continue
        </TextLink>
        ,{' '}
        <TextLink inText href={paths.help('programs/n8n')}>
          n8n
        </TextLink>
        ,{' '}
        <TextLink inText href={paths.help('programs/librechat')}>
          LibreChat
        </TextLink>
        ,{' '}
        <TextLink inText href={paths.help('programs/open-webui')}>
          Open WebUI
        </TextLink>{' '}
        и{' '}
        <TextLink inText href={paths.help('programs/keys')}>
          всё о ключах
        </TextLink>
        . Из того, что отправлено и получено, мы не храним ничего, кроме счёта.
      </p>
    </Card>
  )
}

const examples: Record<Language, (baseUrl: string, model: string) => string> = {
  sh: (baseUrl, model) => `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $SYMBOL_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Привет!"}]}'`,
  python: (baseUrl, model) => `# pip install openai
import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["SYMBOL_API_KEY"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Привет!"}],
)
print(answer.choices[0].message.content)`,
  js: (baseUrl, model) => `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: process.env.SYMBOL_API_KEY })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Привет!' }],
})
console.log(answer.choices[0].message.content)`,
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOf } from '#contract/endpoint.ts'
import { type Project, projectsApi } from '#contract/projects.ts'
import { LibraryFiles } from '#web/features/assistants/files/assistant-files.tsx'
import { DeleteDialog } from '#web/features/projects/delete-dialog.tsx'
import {
  changeProject,
  openNewChat,
  projectLibrary,
  projectQuery,
  useProjectEvents,
} from '#web/features/projects/queries.ts'
import { Spending } from '#web/features/projects/spending.tsx'
import { ThreadTable, threadsParams } from '#web/features/threads/thread-table.tsx'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { optionParam, useUrlState } from '#web/lib/url-state.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'
import { Archive, ArchiveRestore, Download, Ellipsis, MessageSquarePlus, Trash2 } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { ProjectIcon } from '#web/ui/project-icon.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { ProjectForm } from './project-form.tsx'

const tabs = [
  { id: 'chats', label: 'Чаты' },
  { id: 'files', label: 'Файлы' },
  { id: 'settings', label: 'Инструкции' },
  { id: 'spending', label: 'Расход' },
] as const

const params = { ...threadsParams, tab: optionParam(['chats', 'files', 'settings', 'spending']) }

export default function ProjectScreen({ params: { id = '' } }: { params: Record<string, string> }) {
  const query = useQuery(projectQuery(id))
  useProjectEvents('files', 'threads')
  if (query.data) return <OpenProject key={id} project={query.data} />
  const isMissing = query.error && 'status' in query.error && query.error.status === 404
  if (isMissing)
    return <ItemNotFound title="Такого проекта нет" back={{ label: 'К проектам', href: paths.projects() }} />
  return <FormLoading query={query} />
}

function OpenProject({ project }: { project: Project }) {
  const client = useQueryClient()
  const { id, name, icon, archived, files } = project
  const { state, change } = useUrlState(params)
  const begin = useMutation({ mutationFn: () => openNewChat(client, id) })
  return (
    <div className="flex flex-col gap-5">
      <header>
        <Link href={paths.projects()} className="text-sm text-muted hover:text-ink">
          Проекты
        </Link>
        <div className="mt-1 flex items-center gap-3">
          <ProjectIcon icon={icon} size={30} />
          <h1 className="min-w-0 flex-1 text-2xl font-semibold wrap-anywhere">{name}</h1>
          <ProjectMenu project={project} />
        </div>
        {archived && <p className="mt-1 text-sm text-muted">Проект в архиве: в панели его не видно.</p>}
        <Button
          variant="primary"
          className="mt-4 max-sm:w-full"
          icon={<MessageSquarePlus size={18} />}
          busy={begin.isPending}
          onClick={() => begin.mutate()}
        >
          Новый чат здесь
        </Button>
      </header>
      <div>
        <Tabs label="Разделы проекта" tabs={tabs} value={state.tab} onChange={(tab) => change({ tab })} />
        <TabPanel id={state.tab}>
          <div className="pt-5">
            {state.tab === 'chats' && <Chats project={project} filter={state} onFilter={change} />}
            {state.tab === 'files' && (
              <LibraryFiles
                library={projectLibrary(id)}
                files={files}
                label="Файлы проекта"
                description="Ответы в чатах проекта опираются на них и показывают, откуда взято."
              />
            )}
            {state.tab === 'settings' && <ProjectForm project={project} />}
            {state.tab === 'spending' && <Spending id={id} />}
          </div>
        </TabPanel>
      </div>
    </div>
  )
}

interface ChatsProps {
  project: Project
  filter: { view: 'active' | 'archived' | 'trash'; query: string }
  onFilter: (filter: { view?: 'active' | 'archived' | 'trash'; query?: string }) => void
}

function Chats({ project: { id }, filter: { view, query }, onFilter }: ChatsProps) {
  return (
    <div className="flex flex-col gap-4">
      <SearchField
        label="Поиск по чатам проекта"
        placeholder="Слова из названия или сообщения"
        value={query}
        onChange={(words) => onFilter({ query: words })}
      />
      <ThreadTable filter={{ view, query }} project={id} onFilter={onFilter} />
      <Button
        variant="ghost"
        size="sm"
        className="self-start"
        onClick={() => onFilter({ view: view === 'archived' ? 'active' : 'archived' })}
      >
        {view === 'archived' ? 'К активным чатам' : 'Чаты в архиве'}
      </Button>
    </div>
  )
}

function ProjectMenu({ project }: { project: Project }) {
  const client = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const { id, name, archived } = project
  const archive = useMutation({
    mutationFn: () => changeProject(client, id, { archived: !archived }),
    onSuccess: () => message.success(archived ? 'Проект снова в панели' : 'Проект в архиве, его чаты остались в нём'),
  })
  const download = useMutation({
    mutationFn: () => saveFile(addressOf(projectsApi.export, { params: { id } }), `${name}.zip`),
  })
  return (
    <>
      <Menu align="end" trigger={<IconButton label={`Действия: ${name}`} icon={<Ellipsis size={20} />} />}>
        <MenuItem
          icon={archived ? <ArchiveRestore size={18} /> : <Archive size={18} />}
          onSelect={() => archive.mutate()}
        >
          {archived ? 'Вернуть из архива' : 'В архив'}
        </MenuItem>
        <MenuItem icon={<Download size={18} />} onSelect={() => download.mutate()}>
          Скачать архивом
        </MenuItem>
        <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => setDeleting(true)}>
          Удалить проект
        </MenuItem>
      </Menu>
      {isDeleting && <DeleteDialog project={project} onClose={() => setDeleting(false)} />}
    </>
  )
}

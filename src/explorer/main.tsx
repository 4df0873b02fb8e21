import { render } from 'preact';

/** Where the service of the page is: the folder of the page, so that it works under any prefix. */
const service = new URL('.', document.baseURI);

function Page() {
  return (
    <main>
      <h1>cropframe</h1>
      <p>{service.host}</p>
    </main>
  );
}

const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no element with the id "page"');
render(<Page />, place);

// Style sheets of components that the first page has none of; each page that is loaded later brings them along.
import "@mantine/core/styles/Container.css";
import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Pill.css";
import "@mantine/core/styles/PillsInput.css";
import "@mantine/core/styles/PasswordInput.css";
import "@mantine/core/styles/Switch.css";
import "./narrow.css";
import "./steppers.css";
